import { Fragment } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { clockText, formatDuration, formatNumber, formatPace } from "../../../base/format.ts";
import { Section } from "../../../components/section.tsx";
import type { Queues } from "./queries.ts";
import classes from "../platform.module.css";

/** Current throughput of all enterprises. */
export function Figures({ queues }: { queues: Queues }) {
  const { t } = useTranslation("platform");
  const figures = useFigures(queues);
  return (
    <Section title={t("figure.title")} note={t("figure.note")}>
      <dl className={classes["figures"]}>
        {figures.map(({ name, value, note, isBad }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd data-bad={isBad || undefined}>{value}</dd>
            <dd className={classes["figureNote"]}>
              <Note parts={note} />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

type NotePart = Readonly<{ text: string; isBad: boolean }>;

type Figure = Readonly<{
  name: string;
  value: string;
  note: string | readonly NotePart[];
  isBad?: boolean;
}>;

/** The colour marks the bad number, and no other. */
function Note({ parts }: { parts: Figure["note"] }) {
  return typeof parts === "string"
    ? parts
    : parts.map(({ text, isBad }, index) => (
        <Fragment key={text}>
          {index === 0 ? "" : ", "}
          <span data-bad={isBad || undefined}>{text}</span>
        </Fragment>
      ));
}

const receiverStates = ["failing", "open", "throttled", "off"] as const;

function useFigures({ relay, pipeline, receivers, rates }: Queues): Figure[] {
  const { t } = useTranslation("platform");
  return [
    {
      name: t("figure.outbox"),
      value: formatNumber(relay.outbox),
      note:
        relay.oldest_seconds === null
          ? t("figure.nothing_waits")
          : t("figure.oldest", { age: ageOf(relay.oldest_seconds) }),
      isBad: (relay.oldest_seconds ?? 0) >= 5,
    },
    {
      name: t("figure.dead_letters"),
      value: formatNumber(relay.dead_letters),
      note: t("figure.dead_letters_note"),
      isBad: relay.dead_letters > 0,
    },
    {
      name: t("figure.past_due"),
      value:
        pipeline.past_due_seconds === null || pipeline.past_due_seconds === 0
          ? t("figure.none")
          : ageOf(pipeline.past_due_seconds),
      note: t("figure.past_due_note"),
      isBad: (pipeline.past_due_seconds ?? 0) >= 30,
    },
    {
      name: t("figure.in_flight"),
      value: formatNumber(pipeline.in_flight),
      note: t("figure.window", { window: formatNumber(pipeline.window) }),
    },
    {
      name: t("figure.attempts"),
      value: formatPace(pipeline.attempts_per_second),
      note: t("figure.failed", {
        rate: formatPace(pipeline.failed_per_second),
        time: clockText(rates.until),
      }),
      isBad:
        pipeline.failed_per_second * 2 >= pipeline.attempts_per_second &&
        pipeline.failed_per_second > 0,
    },
    {
      name: t("figure.receivers"),
      value: formatNumber(receivers.active),
      note: receiverStates.map((state) => ({
        text: t(`figure.receivers_${state}`, { number: formatNumber(receivers[state]) }),
        isBad: (state === "failing" || state === "open") && receivers[state] > 0,
      })),
    },
  ];
}

function ageOf(seconds: number): string {
  return formatDuration(seconds * 1_000);
}
