import { Anchor, Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { formatNumber, formatShare } from "../../../base/format.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { RelativeTime, useIsPast } from "../../../components/relative-time.tsx";
import { UnavailableValue } from "../../../components/unavailable-value.tsx";
import { useFault } from "../../../components/use-fault.ts";
import { liveQuery, seriesQuery, standingQuery } from "../data.ts";
import { limitsOf, outstandingOf, healthStateOf, switchOffMs } from "../health-state.ts";
import { DisabledSince } from "../disabled-since.tsx";
import { Section } from "../section.tsx";
import { totalsOf } from "../sparkline-points.ts";
import { WebhookSparkline } from "../sparkline.tsx";
import { Tile } from "./facts.tsx";
import { HealthActions } from "./health-actions.tsx";
import classes from "./page.module.css";
import type { Standing, Webhook } from "../types.ts";

/** Health of the receiver and its backlog. */
export function Health({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation("webhooks");
  const result = useQuery(standingQuery(webhook.id));
  const fault = useFault(result);
  const { data: standing } = result;
  return (
    <Section title={t("health.title")} actions={<HealthActions webhook={webhook} />}>
      <Words webhook={webhook} standing={standing} />
      {fault === null ? null : <ErrorBox error={fault} onRetry={() => void result.refetch()} />}
      <div className={classes["tiles"]}>
        {webhook.mode === "push" ? <DayTile webhookId={webhook.id} /> : null}
        {standing === undefined && fault === null ? <Skeleton height={58} /> : null}
        {standing === undefined ? null : <Tiles webhook={webhook} standing={standing} />}
      </div>
      <Text size="sm">
        <Anchor
          renderRoot={(props) => (
            <Link
              {...props}
              to="/dashboard/explain"
              search={{ part: "webhook", webhook: String(webhook.id) }}
            />
          )}
        >
          {t("health.why")}
        </Anchor>
      </Text>
    </Section>
  );
}

/** The state and what to do about it. */
function Words({ webhook, standing }: { webhook: Webhook; standing: Standing | undefined }) {
  const { t } = useTranslation("webhooks");
  const { data: live } = useQuery(liveQuery);
  const situation = healthStateOf(webhook, live?.get(webhook.id));
  const advice = useBehindAdvice(webhook);
  return (
    <Text size="sm" component="div">
      <strong>{t(`situation.${situation}.what`)}</strong>{" "}
      {situation === "behind" ? advice : t(`situation.${situation}.do`)}
      {standing === undefined ? null : <Ahead webhook={webhook} standing={standing} />}
      <DisabledSince webhook={webhook} />
    </Text>
  );
}

function useBehindAdvice(webhook: Webhook): string {
  const { t } = useTranslation("webhooks");
  const limits = limitsOf(webhook).map(({ of, most }) =>
    t(`health.limit.${of}`, { number: formatNumber(most) }),
  );
  const own = t("situation.behind.do");
  return limits.length === 0
    ? own
    : `${t("situation.behind.do_limits", { limits: limits.join(", ") })} ${own}`;
}

/** The next automatic step: probe, end of the pause, or disablement. */
function Ahead({ webhook, standing }: { webhook: Webhook; standing: Standing }) {
  const { t } = useTranslation("webhooks");
  const { next_probe: probe, throttled_until: pause } = standing;
  const since = webhook.failing_since;
  const off = since === null ? null : new Date(Date.parse(since) + switchOffMs).toISOString();
  const upcoming: readonly (Omit<StepProps, "at"> & { at: string | null })[] = [
    { word: t("health.next_probe"), reached: t("health.probing"), at: probe },
    { word: t("health.throttled_until"), reached: t("health.resuming"), at: pause },
    { word: t("health.switches_off"), reached: "", at: webhook.active ? off : null },
  ];
  return upcoming.map(({ word, reached, at }) =>
    at === null ? null : <Step key={word} word={word} reached={reached} at={at} />,
  );
}

type StepProps = Readonly<{
  word: string;
  /** Shown instead, once the time is reached and until the health is read again. */
  reached: string;
  at: string;
}>;

function Step({ word, reached, at }: StepProps) {
  // A relative time of less than a second says "now".
  const isReached = useIsPast(new Date(Date.parse(at) - 1_000));
  return (
    <div>
      {isReached ? (
        reached
      ) : (
        <>
          {word} <RelativeTime at={at} />
        </>
      )}
    </div>
  );
}

function DayTile({ webhookId }: { webhookId: number }) {
  const { t } = useTranslation("webhooks");
  const result = useQuery(seriesQuery(webhookId));
  const fault = useFault(result);
  const { data } = result;
  if (data === undefined) {
    return fault === null ? (
      <Skeleton height={58} />
    ) : (
      <Tile name={t("health.rate")} value={<UnavailableValue error={fault} />} />
    );
  }
  const { data: points, counted_until: until } = data;
  const { delivered, failed } = totalsOf(points);
  const all = delivered + failed;
  return (
    <Tile
      name={t("health.rate")}
      value={all === 0 ? t("health.nothing") : formatShare(delivered / all)}
      note={
        <>
          <WebhookSparkline points={points} />
          {all === 0 ? null : (
            <div>
              {t("health.rate_note", {
                delivered: formatNumber(delivered),
                all: formatNumber(all),
              })}
            </div>
          )}
          {until === null ? null : (
            <div>
              {t("health.counted")} <RelativeTime at={until} />
            </div>
          )}
        </>
      }
    />
  );
}

function Tiles({ webhook, standing }: { webhook: Webhook; standing: Standing }) {
  const { t } = useTranslation("webhooks");
  const isPush = webhook.mode === "push";
  return (
    <>
      <BacklogTile webhook={webhook} standing={standing} />
      {isPush && webhook.active ? <WindowTile standing={standing} /> : null}
      {isPush ? (
        <>
          <Tile name={t("last.success")} value={<When at={webhook.last_success} />} />
          <FailureTile webhook={webhook} standing={standing} />
        </>
      ) : (
        <Tile name={t("last.pulled")} value={<When at={standing.pulled_at} />} />
      )}
    </>
  );
}

function BacklogTile({ webhook, standing }: { webhook: Webhook; standing: Standing }) {
  const { t } = useTranslation("webhooks");
  const outstanding = outstandingOf(standing);
  const parts = (["in_flight", "due", "planned", "waiting", "paused"] as const)
    .filter((part) => standing[part].count > 0)
    .map((part) => {
      const key = part === "waiting" && webhook.ordered ? "waiting_ordered" : part;
      return t(`health.part.${key}`, { formatted: countText(standing[part]) });
    });
  return (
    <Tile
      name={t(webhook.mode === "pull" ? "health.to_pull" : "health.outstanding")}
      value={countText(outstanding)}
      note={
        <>
          {parts.join(", ")}
          {standing.oldest_due === null ? null : (
            <div>
              {t("health.oldest")} <RelativeTime at={standing.oldest_due} />
            </div>
          )}
        </>
      }
    />
  );
}

function countText({ count, more }: { count: number; more: boolean }): string {
  return `${formatNumber(count)}${more ? "+" : ""}`;
}

function WindowTile({ standing }: { standing: Standing }) {
  const { t } = useTranslation("webhooks");
  return (
    <Tile
      name={t("health.window")}
      value={t("health.at_once", {
        count: standing.window,
        formatted: formatNumber(standing.window),
      })}
      note={t(`health.window_note.${windowNoteOf(standing)}`)}
    />
  );
}

function windowNoteOf({ state }: Standing): "open" | "throttled" | "closed" {
  return state === "open" || state === "throttled" ? state : "closed";
}

/** The duration of the failures, if there are any. */
function FailureTile({ webhook, standing }: { webhook: Webhook; standing: Standing }) {
  const { t } = useTranslation("webhooks");
  const { failing_since: since } = webhook;
  const row = standing.failures_in_row;
  return (
    <Tile
      name={t("last.failure")}
      value={<When at={webhook.last_failure} />}
      note={
        since === null ? null : (
          <>
            {t("health.failing", { count: row, formatted: formatNumber(row) })}{" "}
            <RelativeTime at={since} />
          </>
        )
      }
    />
  );
}

function When({ at }: { at: string | null }) {
  return at === null ? "–" : <RelativeTime at={at} />;
}
