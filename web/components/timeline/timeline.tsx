/** A live timeline: marks new entries and announces them to screen readers. */
import { Button, Group, SegmentedControl, Skeleton, Stack, Text } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { useTranslation } from "../../base/i18n.ts";
import classes from "./timeline.module.css";

type Entry = Readonly<{ id: number | string }>;

type TimelineProps<T extends Entry> = Readonly<{
  /** Label of the list. */
  label: string;
  /** Oldest first; undefined during the first load. */
  events: readonly T[] | undefined;
  /** The last poll succeeded. */
  isLive: boolean;
  empty: ReactNode;
  /** Renders an entry as a list item, keyed by its id. */
  renderLine: (event: T, isNew: boolean) => ReactNode;
}>;

type EntriesProps<T extends Entry> = Pick<TimelineProps<T>, "label" | "renderLine"> &
  Readonly<{ events: readonly T[]; order: "newest" | "oldest" }>;

export function Timeline<T extends Entry>({ isLive, ...rest }: TimelineProps<T>) {
  const { t } = useTranslation();
  const [order, setOrder] = useState<"newest" | "oldest">("newest");
  return (
    <div className={classes["timeline"]}>
      <Group justify="space-between" mb="xs">
        <Text
          size="xs"
          c="dimmed"
          className={classes["live"] ?? ""}
          data-off={isLive ? undefined : true}
        >
          {t(isLive ? "timeline.live" : "timeline.stopped")}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label={t("timeline.order")}
          value={order}
          onChange={(value) => setOrder(value === "oldest" ? "oldest" : "newest")}
          data={[
            { value: "newest", label: t("timeline.newest") },
            { value: "oldest", label: t("timeline.oldest") },
          ]}
        />
      </Group>
      <TimelineContent order={order} {...rest} />
    </div>
  );
}

function TimelineContent<T extends Entry>({
  events,
  empty,
  ...rest
}: Omit<EntriesProps<T>, "events"> & Pick<TimelineProps<T>, "events" | "empty">) {
  if (events === undefined) {
    return <Waiting />;
  }
  return events.length === 0 ? empty : <Entries events={events} {...rest} />;
}

function Waiting() {
  return (
    <Stack gap="md" py="xs">
      {[1, 2, 3, 4, 5].map((row) => (
        <Group key={row} gap="sm" wrap="nowrap">
          <Skeleton circle height={26} />
          <Skeleton height={34} />
        </Group>
      ))}
    </Stack>
  );
}

const shownFirst = 100;

function Entries<T extends Entry>({ label, events, order, renderLine }: EntriesProps<T>) {
  const { t } = useTranslation();
  const first = useFirstIds(events);
  const [shown, setShown] = useState(shownFirst);
  const ordered = order === "newest" ? events.toReversed() : events;
  const fresh = events.filter(({ id }) => !first.has(id)).length;
  return (
    <>
      <span className="only-heard" role="status">
        {fresh === 0 ? "" : t("timeline.fresh", { count: fresh })}
      </span>
      <ol className={classes["events"]} aria-label={label}>
        {ordered.slice(0, shown).map((event) => renderLine(event, !first.has(event.id)))}
      </ol>
      {ordered.length > shown ? (
        <Button variant="default" size="xs" onClick={() => setShown(shown + 200)}>
          {t("timeline.more", { count: ordered.length - shown })}
        </Button>
      ) : null}
    </>
  );
}

/** Ids of the first load; only later entries count as new. */
function useFirstIds(events: readonly Entry[]): ReadonlySet<number | string> {
  const [first] = useState(() => new Set(events.map(({ id }) => id)));
  return first;
}
