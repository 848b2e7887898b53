/** A ticket, as a page or in the detail pane. */
import { Skeleton, Stack } from "@mantine/core";
import { IconTicketOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../../base/i18n.ts";
import { asProblem } from "../../../base/problem.ts";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorBox } from "../../../components/error-box.tsx";
import { useSession } from "../../session.ts";
import { Chat } from "../chat/chat.tsx";
import { MediaCard } from "../media/media-card.tsx";
import { reaches } from "../allowed-actions.ts";
import { ticketQuery } from "../queries.ts";
import { TicketDeliveries } from "../timeline/deliveries.tsx";
import { TicketTimeline } from "../timeline/timeline.tsx";
import type { Ticket } from "../types.ts";
import { Card } from "./card.tsx";
import { CustomerCard } from "./customer-card.tsx";
import { InvitationsCard } from "./invitations-card.tsx";
import { LinksCard } from "./links-card.tsx";
import { SubjectCard } from "./subject-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";
import { TicketHead } from "./ticket-head.tsx";
import { TicketStages } from "./ticket-stages.tsx";
import classes from "./detail.module.css";

type DetailProps = Readonly<{
  ticketId: number;
  /** In the detail pane, whose header shows the title. */
  isPanel?: boolean;
  /** Called after the ticket was deleted. */
  onGone: () => void;
}>;

export function TicketDetail({ ticketId, isPanel = false, onGone }: DetailProps) {
  const { t } = useTranslation("tickets");
  const { data: ticket, error, refetch } = useQuery(ticketQuery(ticketId));
  if (ticket === undefined) {
    if (error === null) {
      return <Waiting />;
    }
    return asProblem(error).status === 404 ? (
      <EmptyState
        icon={IconTicketOff}
        title={t("detail.no_such")}
        text={t("detail.no_such_text")}
      />
    ) : (
      <ErrorBox error={error} onRetry={() => void refetch()} />
    );
  }
  return (
    <div className={classes["ticket"]}>
      <TicketHead ticket={ticket} isPanel={isPanel} onGone={onGone} />
      <TicketStages state={ticket.state} />
      <Parts ticket={ticket} />
    </div>
  );
}

function Waiting() {
  return (
    <Stack gap="md">
      <Skeleton height={64} />
      <Skeleton height={120} />
      <Skeleton height={320} />
    </Stack>
  );
}

function Parts({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation("tickets");
  const session = useSession();
  const may = (permission: Parameters<typeof reaches>[1]): boolean =>
    reaches(session, permission, ticket);
  return (
    <div className={classes["parts"]}>
      <div className={classes["reach"]}>
        <LinksCard ticket={ticket} />
        <InvitationsCard ticket={ticket} />
        <CustomerCard ticket={ticket} />
      </div>
      <div className={classes["timeline"]}>
        <Card title={t("timeline.title")}>
          <TicketTimeline ticketId={ticket.id} />
        </Card>
        <SessionsCard ticketId={ticket.id} />
        {may("webhooks.read") ? (
          <Card title={t("delivery.title")}>
            <TicketDeliveries ticketId={ticket.id} />
          </Card>
        ) : null}
      </div>
      <div className={classes["rest"]}>
        {may("conversations.read") ? <Chat ticket={ticket} /> : null}
        {may("media.read") ? <MediaCard ticket={ticket} /> : null}
        <SubjectCard ticket={ticket} />
      </div>
    </div>
  );
}
