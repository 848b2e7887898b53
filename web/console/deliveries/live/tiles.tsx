import { Anchor, Skeleton } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { formatDuration, formatNumber, formatRate, formatShare } from "../../../base/format.ts";
import type { Meaning } from "../../../components/meaning.ts";
import { StateBadge } from "../../../components/state-badge.tsx";
import { presets, type LogSearch } from "../log/search.ts";
import { liveColumns } from "./columns.ts";
import { assessFlow } from "./flow.ts";
import { assessDead, assessPastDue, assessWaiting, type PastDueWord } from "./assess.ts";
import { countText, minuteText } from "./numbers.ts";
import { Sparkline } from "./sparkline.tsx";
import type { LiveState } from "./state.ts";
import type { LiveView } from "./types.ts";
import classes from "./live.module.css";

type OfView = Readonly<{ state: LiveState; view: LiveView }>;

/** The four key figures. */
export function Tiles({ state }: { state: LiveState }) {
  const { view } = state;
  if (view === undefined) {
    return (
      <div className={classes["tiles"]} aria-hidden>
        {["delivered", "waiting", "past_due", "dead"].map((name) => (
          <Skeleton key={name} height={108} radius="md" />
        ))}
      </div>
    );
  }
  const of = { state, view };
  return (
    <div className={classes["tiles"]} data-old={state.connection.is !== "live" || undefined}>
      <Flow {...of} />
      <Waiting {...of} />
      <PastDue {...of} />
      <Dead {...of} />
    </div>
  );
}

function Flow({ state, view }: OfView) {
  const { t } = useTranslation("deliveries");
  const { meaning, word, share } = assessFlow(view);
  const { failed_per_second: failed } = view;
  const values = liveColumns(state.buckets).delivered.map((value) => value ?? 0);
  return (
    <Tile
      name={t("now.tile.delivered")}
      value={formatRate(view.delivered_per_second)}
      unit={t("now.per_second")}
      meaning={meaning}
      word={t(`now.flow.${word}`, { share: formatShare(share) })}
      note={
        failed === 0
          ? t("now.tile.last_seconds")
          : t("now.tile.failing", { rate: formatRate(failed) })
      }
      values={values}
    />
  );
}

function Waiting({ state, view }: OfView) {
  const { t } = useTranslation("deliveries");
  const { meaning, word } = assessWaiting(view);
  return (
    <Tile
      name={t("now.tile.waiting")}
      value={countText(view.waiting, view.waiting_about)}
      unit={t("now.tile.deliveries", { count: Math.min(view.waiting.count, 2) })}
      meaning={meaning}
      word={t(`now.waiting.${word}`)}
      note={
        <>
          {t("now.tile.in_flight", { number: formatNumber(view.in_flight) })}
          {view.paused.count > 0 ? (
            <>
              {" · "}
              <ToLog search={presets.held}>
                {t("now.tile.paused", { number: countText(view.paused) })}
              </ToLog>
            </>
          ) : null}
        </>
      }
      values={state.gauges.map(({ waiting }) => waiting)}
    />
  );
}

function PastDue({ state, view }: OfView) {
  const { t } = useTranslation("deliveries");
  const { meaning, word } = assessPastDue(view);
  return (
    <Tile
      name={t("now.tile.past_due")}
      value={countText(view.past_due)}
      unit={t("now.tile.deliveries", { count: Math.min(view.past_due.count, 2) })}
      meaning={meaning}
      word={t(`now.past_due.${word}`)}
      note={<PastDueNote view={view} word={word} />}
      values={state.gauges.map(({ pastDue }) => pastDue)}
    />
  );
}

function PastDueNote({ view, word }: Pick<OfView, "view"> & { word: PastDueWord }) {
  const { t } = useTranslation("deliveries");
  const { oldest_waiting_seconds: oldest, relay_behind_seconds: behind } = view;
  if (behind !== null) {
    return t("now.tile.relay_behind", { age: formatDuration(behind * 1_000) });
  }
  if (view.past_due.count === 0) {
    return t(word === "failing" ? "now.tile.planned" : "now.tile.nothing_late");
  }
  return (
    <>
      <div>
        {t("now.tile.past_due_where", {
          failing: countText(view.past_due_failing),
          ours: countText(view.past_due_ours),
        })}
      </div>
      {oldest === null ? null : t("now.tile.oldest", { age: formatDuration(oldest * 1_000) })}{" "}
      <ToLog search={presets.waiting}>{t("now.tile.show")}</ToLog>
    </>
  );
}

function Dead({ state, view }: OfView) {
  const { t } = useTranslation("deliveries");
  const { meaning, word } = assessDead(view);
  return (
    <Tile
      name={t("now.tile.dead")}
      value={formatNumber(view.dead_today)}
      unit={t("now.tile.deliveries", { count: Math.min(view.dead_today, 2) })}
      meaning={meaning}
      word={t(`now.dead.${word}`)}
      note={
        <>
          {t("now.tile.since_midnight", { time: minuteText(view.counted) })}{" "}
          {view.dead_today === 0 ? null : (
            <ToLog search={presets.dead_today}>{t("now.tile.show")}</ToLog>
          )}
        </>
      }
      values={state.gauges.map(({ dead }) => dead)}
    />
  );
}

type TileProps = Readonly<{
  name: string;
  value: string;
  /** Shown after the value, smaller. */
  unit?: string;
  meaning: Meaning;
  word: string;
  /** Since when, or of which total. */
  note: ReactNode;
  values: readonly number[];
}>;

function Tile({ name, value, unit, meaning, word, note, values }: TileProps) {
  return (
    <div className={classes["tile"]} data-meaning={meaning} role="group" aria-label={name}>
      <div className={classes["tileHead"]}>
        <span>{name}</span>
        <StateBadge meaning={meaning}>{word}</StateBadge>
      </div>
      <div className={classes["tileBody"]}>
        <span className={classes["number"]}>
          {value}
          {unit === undefined ? null : <small> {unit}</small>}
        </span>
        <Sparkline values={values} meaning={meaning} />
      </div>
      <div className={classes["note"]}>{note}</div>
    </div>
  );
}

function ToLog({ search, children }: { search: LogSearch; children: string }) {
  return (
    <Anchor
      size="xs"
      renderRoot={(props) => <Link to="/dashboard/deliveries/log" search={search} {...props} />}
    >
      {children}
    </Anchor>
  );
}
