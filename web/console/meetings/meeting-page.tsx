import { Anchor, Skeleton, Stack } from "@mantine/core";
import { IconMapSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useTranslation } from "../../base/i18n.ts";
import { asProblem } from "../../base/problem.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { PartBoundary } from "../../components/error-boundary.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { StateBadge } from "../../components/state-badge.tsx";
import { useMay } from "../session.ts";
import { PageFault } from "../shell/page-fault.tsx";
import { ChatCard } from "./chat-card.tsx";
import { FilesCard } from "./files-card.tsx";
import { JoinButton } from "./join-button.tsx";
import { LinksCard } from "./links-card.tsx";
import { MeetingActions } from "./meeting-actions.tsx";
import { MeetingFacts } from "./meeting-facts.tsx";
import { PeopleCard } from "./people-card.tsx";
import { accessQuery, meetingQuery } from "./queries.ts";
import { SessionsCard } from "./sessions-card.tsx";
import { HistoryCard } from "./history-card.tsx";
import { isOver, meaningOf, type Meeting } from "./types.ts";
import classes from "./meetings.module.css";

export function MeetingPage() {
  const { t } = useTranslation("meetings");
  const { conferenceId } = useParams({ from: "/signed-in/meetings/$conferenceId" });
  const id = Number(conferenceId);
  const isId = Number.isInteger(id) && id > 0;
  const { data, error, refetch } = useQuery({ ...meetingQuery(id), enabled: isId });
  if (!isId || (error !== null && asProblem(error).status === 404)) {
    return (
      <EmptyState
        icon={IconMapSearch}
        title={t("one.unknown", { id: conferenceId })}
        text={t("one.unknown_text")}
        action={
          <Anchor renderRoot={(props) => <Link to="/meetings" {...props} />}>
            {t("one.back")}
          </Anchor>
        }
      />
    );
  }
  if (data === undefined) {
    return error === null ? (
      <Stack gap="md">
        <Skeleton height={52} width={360} />
        <Skeleton height={150} />
        <Skeleton height={260} />
      </Stack>
    ) : (
      <PageFault error={error} onRetry={() => void refetch()} />
    );
  }
  return <Found meeting={data} />;
}

function Found({ meeting }: { meeting: Meeting }) {
  const { t } = useTranslation("meetings");
  const mayTalk = useMay("conversations.read");
  const mayFiles = useMay("media.read");
  return (
    <>
      <PageHeader
        title={meeting.name}
        badge={
          <StateBadge meaning={meaningOf[meeting.status]}>
            {t(`status.${meeting.status}`)}
          </StateBadge>
        }
        note={
          <Anchor size="sm" renderRoot={(props) => <Link to="/meetings" {...props} />}>
            {t("one.back")}
          </Anchor>
        }
        actions={
          <>
            <MeetingActions meeting={meeting} />
            <JoinButton meeting={meeting} />
          </>
        }
      />
      <PasswordNotice meeting={meeting} />
      <div className={classes["columns"]}>
        <div>
          <LinksCard meeting={meeting} />
          <PeopleCard meeting={meeting} />
          <HistoryCard meeting={meeting} />
        </div>
        <div>
          <MeetingFacts meeting={meeting} />
          <SessionsCard meeting={meeting} />
          {mayTalk ? <ChatCard meeting={meeting} /> : null}
          {mayFiles ? <FilesCard meeting={meeting} /> : null}
        </div>
      </div>
    </>
  );
}

const LostPassword = lazyPart(async () => (await import("./lost-password.tsx")).LostPassword);

function PasswordNotice({ meeting }: { meeting: Meeting }) {
  const { data: access } = useQuery(accessQuery(meeting));
  return access === undefined || access.undecryptable.length === 0 || isOver(meeting) ? null : (
    <PartBoundary>
      <LostPassword />
    </PartBoundary>
  );
}
