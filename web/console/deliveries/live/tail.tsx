import { Button, Group, Switch, Text } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { memo, useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { formatDate, formatDuration, formatExact, formatNumber } from "../../../base/format.ts";
import { Section } from "../../../components/section.tsx";
import type { Meaning } from "../../../components/meaning.ts";
import { StateBadge } from "../../../components/state-badge.tsx";
import { useWebhookLabel } from "../use-labels.ts";
import { useWords } from "../labels.ts";
import { attemptKey, type LiveState } from "./state.ts";
import type { LiveAttempt } from "./types.ts";
import classes from "./live.module.css";

const mostShown = 20;

function isDelivered({ code }: LiveAttempt): boolean {
  return code !== null && code >= 200 && code < 300;
}

function meaningOf(attempt: LiveAttempt): Meaning {
  if (isDelivered(attempt)) {
    return "good";
  }
  return attempt.gave_up ? "bad" : "warn";
}

/** An absolute time: relative times would be equal for all attempts of a second. */
function Started({ at }: { at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={formatExact(date)}>
      {formatDate(date, { hour: "2-digit", minute: "2-digit", second: "2-digit" })}
    </time>
  );
}

type RowProps = Readonly<{ attempt: LiveAttempt; webhook: string }>;

const Row = memo(({ attempt, webhook }: RowProps) => {
  const { t } = useTranslation("deliveries");
  const words = useWords();
  const result = words.result({ last_code: attempt.code, last_error: attempt.error });
  return (
    <li>
      <Link
        className={classes["attempt"]}
        to="/dashboard/deliveries/log"
        search={{ delivery: String(attempt.delivery) }}
      >
        <Started at={attempt.started} />
        <StateBadge meaning={meaningOf(attempt)}>
          {attempt.gave_up ? t("now.tail.gave_up", { result }) : result}
        </StateBadge>
        <span className={classes["of"]} dir="auto">
          {webhook}
        </span>
        <span className={classes["about"]}>
          <span title={t("now.tail.sequence", { number: attempt.sequence })}>
            {words.event(attempt)}
            {attempt.ticket === null
              ? ` ${attempt.object_id ?? ""}`
              : ` · ${t("now.tail.ticket", { id: attempt.ticket })}`}
          </span>
          {attempt.number > 1 ? ` · ${t("now.tail.number", { number: attempt.number })}` : ""}
        </span>
        <span className={classes["duration"]}>{formatDuration(attempt.ms)}</span>
      </Link>
    </li>
  );
});
Row.displayName = "Attempt";

type Held = Readonly<{ rows: readonly LiveAttempt[]; seen: number }>;

/** Freezes the rows by button or on hover. */
function useHeld(state: LiveState) {
  const [isPaused, setPaused] = useState(false);
  const [isTouched, setTouched] = useState(false);
  const [held, setHeld] = useState<Held>();
  const isHeld = isPaused || isTouched;
  if (isHeld && held === undefined) {
    setHeld({ rows: state.tail, seen: state.seen });
  }
  if (!isHeld && held !== undefined) {
    setHeld(undefined);
  }
  const shown = isHeld && held !== undefined ? held : { rows: state.tail, seen: state.seen };
  return { isPaused, setPaused, setTouched, rows: shown.rows, missed: state.seen - shown.seen };
}

function Note({ missed, leftOut }: { missed: number; leftOut: number }) {
  const { t } = useTranslation("deliveries");
  if (missed > 0) {
    return t("now.tail.held", { number: formatNumber(missed), count: Math.min(missed, 2) });
  }
  return leftOut === 0
    ? t("now.tail.note")
    : t("now.tail.left_out", { number: formatNumber(leftOut) });
}

type RowsProps = Readonly<{
  rows: readonly LiveAttempt[];
  names: ReadonlyMap<number, string>;
  isOnlyFailures: boolean;
}>;

function Rows({ rows, names, isOnlyFailures }: RowsProps) {
  const { t } = useTranslation("deliveries");
  const label = useWebhookLabel();
  if (rows.length === 0) {
    return (
      <Text c="dimmed" size="sm" py="md">
        {t(isOnlyFailures ? "now.tail.no_failures" : "now.tail.nothing")}
      </Text>
    );
  }
  return (
    <ul className={classes["tail"]}>
      {rows.slice(0, mostShown).map((attempt) => (
        <Row
          key={attemptKey(attempt)}
          attempt={attempt}
          webhook={names.get(attempt.webhook) ?? label({ id: attempt.webhook, name: "" })}
        />
      ))}
    </ul>
  );
}

/** The newest finished attempts, live. */
export function Tail({ state }: { state: LiveState }) {
  const { t } = useTranslation("deliveries");
  const { isPaused, setPaused, setTouched, rows, missed } = useHeld(state);
  const [isOnlyFailures, setOnlyFailures] = useState(false);
  const webhooks = state.view?.webhooks ?? [];
  const names = new Map(
    webhooks.flatMap(({ id, name }) => (name === "" ? [] : [[id, name] as const])),
  );
  const Picture = isPaused ? IconPlayerPlay : IconPlayerPause;
  return (
    <Section
      title={t("now.tail.title")}
      note={<Note missed={missed} leftOut={state.view?.left_out ?? 0} />}
      actions={
        <Group gap="sm">
          <Switch
            size="xs"
            label={t("now.tail.only_failures")}
            checked={isOnlyFailures}
            onChange={({ currentTarget }) => setOnlyFailures(currentTarget.checked)}
          />
          <Button
            variant="default"
            size="xs"
            leftSection={<Picture size={14} aria-hidden />}
            onClick={() => setPaused(!isPaused)}
          >
            {t(isPaused ? "now.tail.resume" : "now.tail.pause")}
          </Button>
        </Group>
      }
    >
      <div
        onPointerEnter={() => setTouched(true)}
        onPointerLeave={() => setTouched(false)}
        onFocus={() => setTouched(true)}
        onBlur={() => setTouched(false)}
      >
        <Rows
          rows={isOnlyFailures ? rows.filter((attempt) => !isDelivered(attempt)) : rows}
          names={names}
          isOnlyFailures={isOnlyFailures}
        />
      </div>
    </Section>
  );
}
