/** The room of one ticket: head, stage with tools, panel. */
import { Anchor, Text, Title } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { useTranslation } from "../../base/i18n.ts";
import { isFramed } from "../../shared/parent-frame.ts";
import { useSession } from "../session.ts";
import { nameOf } from "../tickets/person.ts";
import { TicketStateBadge } from "../tickets/states.tsx";
import type { Ticket } from "../tickets/types.ts";
import { CallRoomView } from "./call-room-view.tsx";
import classes from "./call.module.css";
import { NoAccess, NotYours } from "./no-access.tsx";
import { CallPanel } from "./panel/call-panel.tsx";
import { useCallRoom } from "./use-call-room.ts";
import { StageCard } from "./stage/stage-card.tsx";

export function CallTicket({ ticket }: { ticket: Ticket }) {
  const { user } = useSession();
  const isOwn = ticket.agent.toLowerCase() === user.login.toLowerCase();
  return (
    <div className={classes["page"]} data-framed={isFramed() || undefined}>
      <Head ticket={ticket} />
      {isOwn ? <OwnTicket ticket={ticket} /> : <OthersTicket ticket={ticket} />}
    </div>
  );
}

function Head({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation("call");
  return (
    <header className={classes["head"]}>
      <Title order={1} size="h2" className={classes["who"] ?? ""}>
        {ticket.name ?? nameOf(ticket.requestor)}
      </Title>
      <TicketStateBadge state={ticket.state} />
      <Text size="sm" c="dimmed" truncate className={classes["subject"] ?? ""}>
        {ticket.subject ?? ""}
      </Text>
      {/* A new tab: leaving this page would end the call. */}
      <Anchor href={`/tickets/${ticket.id}`} target="_blank" rel="noopener" size="sm">
        {t("ticket", { id: ticket.id })} <IconExternalLink size={13} aria-hidden />
      </Anchor>
    </header>
  );
}

function OwnTicket({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation("call");
  const { room, error, retry } = useCallRoom(ticket.id);
  if (room !== undefined) {
    return <CallRoomView key={ticket.id} room={room} ticket={ticket} />;
  }
  return (
    <div className={classes["body"]}>
      <main className={classes["stage"]}>
        {error === undefined ? (
          <StageCard title={t("stage.connecting")} text={t("stage.connecting_text")} isBusy />
        ) : (
          <NoAccess ticket={ticket} error={error} onRetry={retry} />
        )}
      </main>
      <CallPanel ticket={ticket} room={undefined} />
    </div>
  );
}

function OthersTicket({ ticket }: { ticket: Ticket }) {
  return (
    <div className={classes["body"]}>
      <main className={classes["stage"]}>
        <NotYours ticket={ticket} />
      </main>
      <CallPanel ticket={ticket} room={undefined} />
    </div>
  );
}
