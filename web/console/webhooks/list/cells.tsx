/** Cells of the webhook list. */
import { Anchor, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { formatDuration, formatNumber, formatShare } from "../../../base/format.ts";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { UnavailableValue } from "../../../components/unavailable-value.tsx";
import { useFault } from "../../../components/use-fault.ts";
import { ActiveSwitch } from "../active-switch.tsx";
import { liveQuery, seriesQuery } from "../data.ts";
import { useFilterSummary } from "../filters/filter-summary.ts";
import { useTree } from "../filters/use-tree.ts";
import { useNameOf } from "../names.ts";
import { DisabledSince } from "../disabled-since.tsx";
import { HealthBadge } from "../health-badge.tsx";
import { totalsOf } from "../sparkline-points.ts";
import { WebhookSparkline } from "../sparkline.tsx";
import classes from "./list.module.css";
import type { LiveWebhook, Webhook } from "../types.ts";

type Of = Readonly<{ webhook: Webhook; live: LiveWebhook | undefined }>;

export function ActivateCell({ webhook, live }: Of) {
  const { t } = useTranslation("webhooks");
  const name = useNameOf()(webhook);
  const { count: kept, more } = live?.paused ?? { count: 0, more: false };
  return (
    // A click on the switch must not open the row.
    <div
      className={classes["activate"]}
      role="presentation"
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <ActiveSwitch webhook={webhook} name={name} />
      {!webhook.active && kept > 0 ? (
        <Text size="xs" c="dimmed">
          {t("list.kept", { count: kept, formatted: plus(kept, more) })}
        </Text>
      ) : null}
    </div>
  );
}

/** `isAll`: also shows the health, where it has no column. */
export function NameCell({ webhook, live, isAll }: Of & { isAll: boolean }) {
  const { t } = useTranslation("webhooks");
  const nameOf = useNameOf();
  const filterSummary = useFilterSummary();
  const { tree } = useTree();
  const filters = tree.length === 0 ? "…" : filterSummary(webhook.filters, tree);
  return (
    <Stack gap={0} className={classes["name"] ?? ""}>
      <Anchor
        fw={600}
        c="var(--text)"
        dir="auto"
        onClick={(event) => event.stopPropagation()}
        renderRoot={(props) => (
          <Link
            to="/settings/webhooks/$webhookId"
            params={{ webhookId: String(webhook.id) }}
            {...props}
          />
        )}
      >
        {nameOf(webhook)}
      </Anchor>
      <Text size="xs" c="dimmed" lineClamp={1} title={filters}>
        {filters}
        {webhook.conditions === null ? "" : ` · ${t("list.conditions")}`}
      </Text>
      <span className={`mono ${classes["url"]}`} title={webhook.url ?? ""}>
        {webhook.url ?? t(webhook.mode === "pull" ? "list.pulled" : "list.no_url")}
      </span>
      {isAll ? <HealthCell webhook={webhook} live={live} /> : null}
    </Stack>
  );
}

export function HealthCell({ webhook, live }: Of) {
  const { t } = useTranslation("webhooks");
  return (
    <Stack gap={2} align="flex-start">
      <HealthBadge webhook={webhook} live={live} />
      <DisabledSince webhook={webhook} />
      {webhook.active && webhook.failing_since !== null ? (
        <Text component="div" size="xs" c="dimmed">
          {t("list.failing_since")} <RelativeTime at={webhook.failing_since} />
        </Text>
      ) : null}
    </Stack>
  );
}

/** Deliveries of the last day: number and hourly chart. */
export function DayCell({ webhookId }: { webhookId: number }) {
  const { t } = useTranslation("webhooks");
  const result = useQuery(seriesQuery(webhookId));
  const fault = useFault(result);
  const { data } = result;
  if (data === undefined) {
    return fault === null ? (
      <Skeleton height={22} width={170} />
    ) : (
      <UnavailableValue error={fault} />
    );
  }
  const { delivered, failed } = totalsOf(data.data);
  return (
    <div className={classes["dayCell"]}>
      <WebhookSparkline points={data.data} />
      <div className={classes["day"]}>
        <Text size="sm" className={classes["number"] ?? ""}>
          {formatNumber(delivered)}
        </Text>
        {failed === 0 ? null : (
          <Text size="xs" c="var(--bad)" className={classes["number"] ?? ""}>
            {t("list.rate", { share: formatShare(delivered / (delivered + failed)) })}
          </Text>
        )}
      </div>
    </div>
  );
}

/** A new webhook is not in the live data yet. */
export function BacklogCell({ webhookId }: { webhookId: number }) {
  const { t } = useTranslation("webhooks");
  const result = useQuery(liveQuery);
  const fault = useFault(result);
  const live = result.data?.get(webhookId);
  if (fault !== null) {
    return <UnavailableValue error={fault} />;
  }
  if (live === undefined) {
    return <Skeleton height={14} width={30} ml="auto" />;
  }
  const waiting = live.to_pull ?? live.waiting.count;
  const oldest = live.oldest_waiting_seconds;
  return (
    <>
      <Text size="sm" c={waiting === 0 ? "dimmed" : "var(--text)"}>
        {plus(waiting, live.to_pull === null && live.waiting.more)}
      </Text>
      {waiting === 0 || oldest === null ? null : (
        <Text size="xs" c="dimmed">
          {t("list.oldest", { age: formatDuration(oldest * 1_000) })}
        </Text>
      )}
    </>
  );
}

function plus(count: number, more: boolean): string {
  return `${formatNumber(count)}${more ? "+" : ""}`;
}

export function LastCell({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation("webhooks");
  return webhook.mode === "pull" ? (
    <LastLine word={t("last.asked")} at={webhook.health.pulled_at} />
  ) : (
    <>
      <LastLine word={t("last.ok")} at={webhook.last_success} />
      <LastLine word={t("last.bad")} at={webhook.last_failure} />
    </>
  );
}

function LastLine({ word, at }: { word: string; at: string | null }) {
  return (
    <Text component="div" size="xs" c="dimmed" className={classes["last"] ?? ""}>
      {word} {at === null ? "–" : <RelativeTime at={at} />}
    </Text>
  );
}
