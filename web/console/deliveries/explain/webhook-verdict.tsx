import { Code, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { formatDuration } from "../../../base/format.ts";
import { StateBadge } from "../../../components/state-badge.tsx";
import type { ExplainedWebhook } from "../model.ts";
import { deliveryQuery } from "../queries.ts";
import { useWebhookLabel } from "../use-labels.ts";
import { meaningOfVerdict, useVerdictWords } from "./verdict-words.ts";
import classes from "./explain.module.css";

/** The result of an event at one webhook, and the reason. */
export function WebhookVerdict({ webhook }: { webhook: ExplainedWebhook }) {
  const { t } = useTranslation("deliveries");
  const { sentence, exact } = useVerdictWords();
  const label = useWebhookLabel();
  const { verdict, delivery, name, deleted } = webhook;
  const times = [webhook.since, webhook.until, delivery?.ended ?? null].filter(
    (time) => time !== null,
  );
  return (
    <li className={classes["verdict"]} data-verdict={verdict}>
      <div className={classes["verdict-head"]}>
        <strong>{label({ id: webhook.webhook, name })}</strong>
        {deleted ? (
          <Text size="xs" c="dimmed">
            {t("explain.deleted")}
          </Text>
        ) : null}
        <StateBadge meaning={meaningOfVerdict(verdict)}>{t(`verdict_name.${verdict}`)}</StateBadge>
      </div>
      <Text size="sm" title={times.map(exact).join(" – ")}>
        {sentence(webhook)}
        {verdict === "delivered" && delivery !== null ? <Answer deliveryId={delivery.id} /> : null}
      </Text>
      <Filters webhook={webhook} />
      <Links webhook={webhook} />
    </li>
  );
}

/** "200 in 84 ms": the result of the last attempt. */
function Answer({ deliveryId }: { deliveryId: number }) {
  const { t } = useTranslation("deliveries");
  const { data } = useQuery(deliveryQuery(deliveryId));
  const last = data?.attempts.at(-1);
  return last === undefined || last.code === null ? null : (
    <> {t("explain.answer", { code: last.code, time: formatDuration(last.ms) })}</>
  );
}

/** The filters of the webhook, if none matched. */
function Filters({ webhook }: { webhook: ExplainedWebhook }) {
  const { t } = useTranslation("deliveries");
  const known = ["object", "event", "eventType", "unknown"] as const;
  return webhook.filters.length === 0 ? null : (
    <ul className={classes["filters"]}>
      {webhook.filters.map(({ filter, mismatch }) => (
        <li key={filter}>
          <Code>{filter}</Code>{" "}
          {t(`mismatch.${known.find((one) => one === mismatch) ?? "unknown"}`)}
        </li>
      ))}
    </ul>
  );
}

function Links({ webhook }: { webhook: ExplainedWebhook }) {
  const { t } = useTranslation("deliveries");
  const { delivery, replays } = webhook;
  return (
    <Group gap="md" className={classes["links"] ?? ""}>
      {delivery === null ? null : (
        <Link to="/dashboard/deliveries/$deliveryId" params={{ deliveryId: String(delivery.id) }}>
          {t("detail.title", { id: delivery.id })}
        </Link>
      )}
      {replays.map(({ id, status }) => (
        <Link key={id} to="/dashboard/deliveries/$deliveryId" params={{ deliveryId: String(id) }}>
          {t("explain.replayed", {
            id,
            state: t(`base:delivery_state.${status as "delivered"}`),
          })}
        </Link>
      ))}
      {webhook.deleted ? null : (
        <Link to="/settings/webhooks/$webhookId" params={{ webhookId: String(webhook.webhook) }}>
          {t("match.to_webhook")}
        </Link>
      )}
    </Group>
  );
}
