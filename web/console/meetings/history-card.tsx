/** The live timeline of a meeting. */
import {
  IconBan,
  IconCalendarPlus,
  IconCircleCheck,
  IconDoorEnter,
  IconDoorExit,
  IconFile,
  IconSend,
  IconTimeline,
  IconVideo,
  IconVideoOff,
} from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useEffect, useRef } from "react";
import { useTranslation } from "../../base/i18n.ts";
import { formatDuration } from "../../base/format.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorBox } from "../../components/error-box.tsx";
import { Section } from "../../components/section.tsx";
import { TimelineLine } from "../../components/timeline/line.tsx";
import type { EntryAppearance } from "../../components/timeline/entry-icon.tsx";
import { Timeline } from "../../components/timeline/timeline.tsx";
import { useMay } from "../session.ts";
import { filesQuery, participantsQuery, sessionsQuery } from "./queries.ts";
import { historyOf, type HistoryEvent } from "./history.ts";
import type { Meeting } from "./types.ts";

export function HistoryCard({ meeting }: { meeting: Meeting }) {
  const { t } = useTranslation("meetings");
  const { events, error, retry } = useHistory(meeting);
  return (
    <Section title={t("history.title")}>
      {events === undefined && error !== null ? (
        <ErrorBox error={error} onRetry={retry} />
      ) : (
        <Timeline
          label={t("history.title")}
          events={events}
          isLive={error === null}
          empty={
            <EmptyState
              icon={IconTimeline}
              title={t("history.empty")}
              text={t("history.empty_text")}
            />
          }
          renderLine={(event, isNew) => <Line key={event.id} event={event} isNew={isNew} />}
        />
      )}
    </Section>
  );
}

/** The data of the timeline; undefined until all of it is loaded. */
function useHistory(meeting: Meeting) {
  const mayFiles = useMay("media.read");
  const people = useQuery(participantsQuery(meeting));
  const sessions = useQuery(sessionsQuery(meeting));
  useFollow(meeting.id, sessions.data);
  const files = useQuery({ ...filesQuery(meeting.id), enabled: mayFiles });
  const events = useMemo(() => {
    const added = mayFiles ? files.data?.data : [];
    if (people.data === undefined || sessions.data === undefined || added === undefined) {
      return undefined;
    }
    return historyOf({
      ...{ meeting, participants: people.data, sessions: sessions.data.data, files: added },
    });
  }, [meeting, mayFiles, people.data, sessions.data, files.data]);
  const parts = [people, sessions, ...(mayFiles ? [files] : [])];
  const failed = parts.filter(({ error }) => error !== null);
  const retry = (): void => failed.forEach(({ refetch }) => void refetch());
  return { events, error: failed[0]?.error ?? null, retry };
}

/** Refetches the meeting, its participants and its files when a session changes. */
function useFollow(conferenceId: number, sessions: unknown): void {
  const queries = useQueryClient();
  const seen = useRef(sessions);
  useEffect(() => {
    const before = seen.current;
    seen.current = sessions;
    if (before === undefined || before === sessions) {
      return;
    }
    for (const part of ["one", "participants", "files"]) {
      void queries.invalidateQueries({ queryKey: ["meetings", part, conferenceId] });
    }
  }, [sessions, queries, conferenceId]);
}

const appearances: Readonly<Record<HistoryEvent["type"], EntryAppearance>> = {
  created: { icon: IconCalendarPlus, meaning: "neutral" },
  invited: { icon: IconSend, meaning: "neutral" },
  began: { icon: IconVideo, meaning: "good" },
  came: { icon: IconDoorEnter, meaning: "good" },
  left: { icon: IconDoorExit, meaning: "neutral" },
  over: { icon: IconVideoOff, meaning: "neutral" },
  file: { icon: IconFile, meaning: "neutral" },
  ended: { icon: IconCircleCheck, meaning: "good" },
  cancelled: { icon: IconBan, meaning: "bad" },
};

function Line({ event, isNew }: { event: HistoryEvent; isNew: boolean }) {
  const sentence = useSentence(event);
  const { type, at } = event;
  return <TimelineLine {...{ type, at, isNew, sentence }} appearance={appearances[type]} />;
}

function useSentence(event: HistoryEvent): string {
  const { t } = useTranslation("meetings");
  switch (event.type) {
    case "invited":
      return t("history.invited", { count: event.names.length, names: event.names.join(", ") });
    case "over":
      return t("history.over", {
        length: formatDuration(event.ms),
        reason: t(`sessions.${event.reason}`),
      });
    case "file":
      return t("history.file", { name: event.name, file: event.file });
    case "created":
    case "came":
    case "left":
      return t(`history.${event.type}`, { name: event.name });
    default:
      return t(`history.${event.type}`);
  }
}
