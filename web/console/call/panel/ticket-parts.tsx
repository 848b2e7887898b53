/** The tabs of the panel with the data of the ticket. */
import type { ReactNode } from "react";
import { useSession } from "../../session.ts";
import { reaches } from "../../tickets/allowed-actions.ts";
import { Chat } from "../../tickets/chat/chat.tsx";
import { CustomerCard } from "../../tickets/detail/customer-card.tsx";
import { InvitationsCard } from "../../tickets/detail/invitations-card.tsx";
import { SubjectCard } from "../../tickets/detail/subject-card.tsx";
import { MediaCard } from "../../tickets/media/media-card.tsx";
import { TicketTimeline } from "../../tickets/timeline/timeline.tsx";
import type { Ticket } from "../../tickets/types.ts";
import classes from "./panel.module.css";
import type { Tab } from "./tabs.ts";

export function TicketParts({ tab, ticket }: Readonly<{ tab: Tab; ticket: Ticket }>): ReactNode {
  const session = useSession();
  switch (tab) {
    case "chat":
      return reaches(session, "conversations.read", ticket) ? <Chat ticket={ticket} /> : null;
    case "timeline":
      return <TicketTimeline ticketId={ticket.id} hasDeliveries={false} />;
    case "files":
      return reaches(session, "media.read", ticket) ? <MediaCard ticket={ticket} /> : null;
    default:
      return (
        <div className={classes["cards"]}>
          <SubjectCard ticket={ticket} />
          <CustomerCard ticket={ticket} />
          <InvitationsCard ticket={ticket} />
        </div>
      );
  }
}
