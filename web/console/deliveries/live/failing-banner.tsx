import { Alert, Anchor } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { isFailing } from "../health.ts";
import { useLabels, useWebhookLabel } from "../use-labels.ts";
import { assessWebhook } from "./assess.ts";
import { countText } from "./numbers.ts";
import { useHealthNote } from "./use-health-note.ts";
import type { LiveState } from "./state.ts";
import type { LiveWebhook } from "./types.ts";
import classes from "./live.module.css";

/** Further webhooks are in the list below. */
const mostShown = 3;

/** The failing webhooks, at the top of the page. */
export function FailingBanner({ state }: { state: LiveState }) {
  const { t } = useTranslation("deliveries");
  const { view } = state;
  const failing = (view?.webhooks ?? []).filter(
    (webhook) => webhook.state !== "off" && isFailing(assessWebhook(webhook).word),
  );
  if (view === undefined || failing.length === 0) {
    return null;
  }
  const isOpen = failing.some((webhook) => webhook.state === "open");
  const hidden = failing.length - mostShown;
  return (
    <Alert
      color={isOpen ? "red" : "yellow"}
      variant="light"
      // Not an alert: it updates every second, and would interrupt screen readers each time.
      role="region"
      mb="sm"
      icon={<IconAlertTriangle aria-hidden />}
      title={t("now.banner.title")}
      aria-label={t("now.banner.title")}
    >
      <ul className={classes["failing"]}>
        {failing.slice(0, mostShown).map((webhook) => (
          <Line key={webhook.id} webhook={webhook} nowMs={Date.parse(view.at)} />
        ))}
        {hidden > 0 ? <li>{t("now.banner.more", { count: hidden, number: hidden })}</li> : null}
      </ul>
    </Alert>
  );
}

function Line({ webhook, nowMs }: { webhook: LiveWebhook; nowMs: number }) {
  const { t } = useTranslation("deliveries");
  const labels = useLabels();
  const name = useWebhookLabel()(webhook);
  const healthNote = useHealthNote()(webhook, nowMs);
  const facts = [
    labels.health(webhook.state, webhook),
    ...(webhook.past_due.count === 0
      ? []
      : [t("now.banner.late", { number: countText(webhook.past_due, webhook.waiting_about) })]),
    ...(healthNote === "" ? [] : [healthNote]),
  ];
  return (
    <li>
      <Anchor
        fw={600}
        c="inherit"
        underline="always"
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
      {` · ${facts.join(" · ")}`}
    </li>
  );
}
