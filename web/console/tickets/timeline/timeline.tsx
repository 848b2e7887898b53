/** The timeline of a ticket as it grows. */
import { Alert, Button, Group, SegmentedControl, Skeleton, Stack, Text } from "@mantine/core";
import { IconTimeline } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { asProblem } from "../../../base/problem.ts";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorBox } from "../../../components/error-box.tsx";
import { useMay } from "../../session.ts";
import { mediasQuery, timelineQuery } from "../queries.ts";
import type { Media, TimelineEvent } from "../types.ts";
import { EventLine } from "./event-line.tsx";
import { useFollow } from "./use-follow.ts";
import classes from "./timeline.module.css";

const none: readonly Media[] = [];
const shownFirst = 100;

/** The entries that were there when they were first shown are not new. */
const useFirstIds = (events: readonly TimelineEvent[]): ReadonlySet<number> => {
  const [first] = useState(() => new Set(events.map(({ id }) => id)));
  return first;
};

type EntriesProps = Readonly<{
  ticketId: number;
  events: readonly TimelineEvent[];
  order: "newest" | "oldest";
}>;

const Entries = ({ ticketId, events, order }: EntriesProps) => {
  const { t } = useTranslation("tickets");
  const first = useFirstIds(events);
  const mayMedia = useMay("media.read");
  const showsWebhooks = useMay("webhooks.read");
  const { data } = useQuery({ ...mediasQuery(ticketId), enabled: mayMedia });
  const [shown, setShown] = useState(shownFirst);
  const ordered = order === "newest" ? events.toReversed() : events;
  return (
    <>
      <ol className={classes["events"]} aria-label={t("timeline.title")}>
        {ordered.slice(0, shown).map((event) => (
          <EventLine
            key={event.id}
            event={event}
            medias={data?.data ?? none}
            isNew={!first.has(event.id)}
            showsWebhooks={showsWebhooks}
          />
        ))}
      </ol>
      {ordered.length > shown ? (
        <Button variant="default" size="xs" onClick={() => setShown(shown + 200)}>
          {t("timeline.more", { count: ordered.length - shown })}
        </Button>
      ) : null}
    </>
  );
};

const Waiting = () => (
  <Stack gap="md" py="xs">
    {[1, 2, 3, 4, 5].map((row) => (
      <Group key={row} gap="sm" wrap="nowrap">
        <Skeleton circle height={26} />
        <Skeleton height={34} />
      </Group>
    ))}
  </Stack>
);

/** The newest entry in words, for who hears the page. */
const Announced = ({ events }: { events: readonly TimelineEvent[] }) => {
  const { t } = useTranslation("tickets");
  const first = useFirstIds(events);
  const fresh = events.filter(({ id }) => !first.has(id)).length;
  return (
    <span className={classes["hidden"]} role="status">
      {fresh === 0 ? "" : t("timeline.fresh", { count: fresh })}
    </span>
  );
};

/** Why there is no timeline to see. */
const Fault = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => {
  const { t } = useTranslation("tickets");
  return asProblem(error).status === 403 ? (
    <Alert color="gray" icon={<IconTimeline size={18} aria-hidden />}>
      {t("timeline.not_yours")}
    </Alert>
  ) : (
    <ErrorBox error={error} onRetry={onRetry} />
  );
};

type StoryProps = Readonly<{
  ticketId: number;
  events: readonly TimelineEvent[] | undefined;
  order: "newest" | "oldest";
}>;

const Story = ({ ticketId, events, order }: StoryProps) => {
  const { t } = useTranslation("tickets");
  if (events === undefined) {
    return <Waiting />;
  }
  return events.length === 0 ? (
    <EmptyState icon={IconTimeline} title={t("timeline.empty")} text={t("timeline.empty_text")} />
  ) : (
    <>
      <Announced events={events} />
      <Entries ticketId={ticketId} events={events} order={order} />
    </>
  );
};

export const Timeline = ({ ticketId }: { ticketId: number }) => {
  const { t } = useTranslation("tickets");
  const { data: events, error, refetch } = useQuery(timelineQuery(ticketId));
  const [order, setOrder] = useState<"newest" | "oldest">("newest");
  useFollow(ticketId, events);
  if (events === undefined && error !== null) {
    return <Fault error={error} onRetry={() => void refetch()} />;
  }
  const isLive = error === null;
  return (
    <>
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
      <Story ticketId={ticketId} events={events} order={order} />
    </>
  );
};
