/** The live timeline of a ticket. */
import { Alert } from "@mantine/core";
import { IconTimeline } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../../base/i18n.ts";
import { asProblem } from "../../../base/problem.ts";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorBox } from "../../../components/error-box.tsx";
import { Timeline } from "../../../components/timeline/timeline.tsx";
import { useMay } from "../../session.ts";
import { mediasQuery, timelineQuery } from "../detail/queries.ts";
import type { Media } from "../types.ts";
import { EventLine } from "./event-line.tsx";
import { useFollow } from "./use-follow.ts";

const none: readonly Media[] = [];

type TicketTimelineProps = Readonly<{
  ticketId: number;
  /** Shows the webhook deliveries of each entry, if the user may read them. */
  hasDeliveries?: boolean;
}>;

export function TicketTimeline({ ticketId, hasDeliveries = true }: TicketTimelineProps) {
  const { t } = useTranslation("tickets");
  const { data: events, error, refetch } = useQuery(timelineQuery(ticketId));
  const hasMedia = useMay("media.read") && events !== undefined && events.length > 0;
  const showsWebhooks = useMay("webhooks.read") && hasDeliveries;
  const { data } = useQuery({ ...mediasQuery(ticketId), enabled: hasMedia });
  useFollow(ticketId, events);
  if (events === undefined && error !== null) {
    return <Fault error={error} onRetry={() => void refetch()} />;
  }
  const medias = data?.data ?? none;
  return (
    <Timeline
      label={t("timeline.title")}
      events={events}
      isLive={error === null}
      empty={
        <EmptyState
          icon={IconTimeline}
          title={t("timeline.empty")}
          text={t("timeline.empty_text")}
        />
      }
      renderLine={(event, isNew) => (
        <EventLine key={event.id} {...{ event, medias, isNew, showsWebhooks }} />
      )}
    />
  );
}

/** The error of the timeline. */
function Fault({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation("tickets");
  return asProblem(error).status === 403 ? (
    <Alert color="gray" icon={<IconTimeline size={18} aria-hidden />}>
      {t("timeline.not_yours")}
    </Alert>
  ) : (
    <ErrorBox error={error} onRetry={onRetry} />
  );
}
