import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { memo } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { clockText, formatNumber, formatRate } from "../../../base/format.ts";
import { Section } from "../../../components/section.tsx";
import { StateBadge } from "../../../components/state-badge.tsx";
import { useLabels, useWebhookLabel } from "../use-labels.ts";
import { assessWebhook } from "./assess.ts";
import { countText } from "./numbers.ts";
import { useHealthNote } from "./use-health-note.ts";
import { shrunkFrom, type LiveState } from "./state.ts";
import type { LiveWebhook } from "./types.ts";
import classes from "./live.module.css";

const columns = ["window", "in_flight", "waiting", "past_due", "delivered", "failed"] as const;

type RowProps = Readonly<{ webhook: LiveWebhook; from: number | undefined; healthNote: string }>;

const SteadyRow = memo(Row, isSameRow);

/** All webhooks, sorted by severity. */
export function WebhookList({ state }: { state: LiveState }) {
  const { t } = useTranslation("deliveries");
  const healthNoteOf = useHealthNote();
  const { view } = state;
  if (view === undefined) {
    return null;
  }
  const nowMs = Date.parse(view.at);
  return (
    <Section
      title={t("now.list.title")}
      note={t("now.list.note", { time: clockText(view.counted) })}
    >
      <div className={classes["scroll"]} role="group" aria-label={t("now.list.title")} tabIndex={0}>
        <table className={classes["list"]}>
          <thead>
            <tr>
              <th scope="col">{t("column.webhook")}</th>
              <th scope="col">{t("now.list.health")}</th>
              {columns.map((column) => (
                <th key={column} scope="col" className={classes["figure"]}>
                  {t(`now.list.${column}`)}
                </th>
              ))}
              <th scope="col">
                <span className="only-heard">{t("part.log")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {view.webhooks.map((webhook) => (
              <SteadyRow
                key={webhook.id}
                webhook={webhook}
                from={shrunkFrom(state, webhook.id)}
                healthNote={healthNoteOf(webhook, nowMs)}
              />
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

function Row({ webhook, from, healthNote }: RowProps) {
  const { t } = useTranslation("deliveries");
  const { meaning, word } = assessWebhook(webhook);
  const labels = useLabels();
  const name = useWebhookLabel()(webhook);
  const numbers = numbersOf(webhook);
  return (
    <tr data-meaning={meaning}>
      <th scope="row">
        <Anchor
          fw={600}
          c="var(--text)"
          renderRoot={(props) => (
            <Link
              to="/settings/webhooks/$webhookId"
              params={{ webhookId: String(webhook.id) }}
              {...props}
            />
          )}
        >
          {name}
        </Anchor>
      </th>
      <td className={classes["health"]}>
        <StateBadge meaning={meaning}>{labels.health(word, webhook)}</StateBadge>
        <span className={classes["healthNote"]}>{healthNote}</span>
      </td>
      {columns.map((column) => (
        <td
          key={column}
          className={classes["figure"]}
          data-label={t(`now.list.${column}`)}
          data-alarming={isAlarming(webhook, column) || undefined}
        >
          {column === "window" ? <Window webhook={webhook} from={from} /> : numbers[column]}
        </td>
      ))}
      <td className={classes["link"]}>
        <Anchor
          size="xs"
          aria-label={t("now.list.log_of", { name })}
          renderRoot={(props) => (
            <Link
              to="/dashboard/deliveries/log"
              search={{ webhook: String(webhook.id) }}
              {...props}
            />
          )}
        >
          {t("part.log")}
        </Anchor>
      </td>
    </tr>
  );
}

function numbersOf(webhook: LiveWebhook): Record<(typeof columns)[number], string> {
  return {
    window: formatNumber(webhook.window),
    in_flight: formatNumber(webhook.in_flight),
    waiting: countText(webhook.waiting, webhook.waiting_about),
    past_due: countText(webhook.past_due),
    delivered: formatRate(webhook.delivered_per_second),
    failed: formatRate(webhook.failed_per_second),
  };
}

/** Emphasizes critical values in bold. */
function isAlarming(webhook: LiveWebhook, column: (typeof columns)[number]): boolean {
  return (
    (column === "past_due" && webhook.past_due.count > 0 && webhook.state !== "off") ||
    (column === "failed" && webhook.failed_per_second > 0)
  );
}

function Window({ webhook, from }: { webhook: LiveWebhook; from: number | undefined }) {
  const { t } = useTranslation("deliveries");
  return (
    <>
      {formatNumber(webhook.window)}
      {from === undefined ? null : (
        <span className={classes["shrunk"]}>
          {" "}
          ↓ {t("now.list.was", { window: formatNumber(from) })}
        </span>
      )}
    </>
  );
}

function isSameRow(a: RowProps, b: RowProps): boolean {
  return (
    a.healthNote === b.healthNote &&
    a.from === b.from &&
    JSON.stringify(a.webhook) === JSON.stringify(b.webhook)
  );
}
