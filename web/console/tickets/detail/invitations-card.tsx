/** Invitations: channel, delivery status, and advice after a failure. */
import { Skeleton, Text } from "@mantine/core";
import { IconDeviceMobileMessage, IconMail } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../../base/i18n.ts";
import { InlineFault } from "../../../components/inline-fault.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import type { Meaning } from "../../../components/meaning.ts";
import { StateBadge } from "../../../components/state-badge.tsx";
import { useFault } from "../../../components/use-fault.ts";
import { useSession } from "../../session.ts";
import { messageErrors } from "../../../../src/contracts/invitations.ts";
import { contactsOf, formatPhone } from "../person.ts";
import { reaches } from "../allowed-actions.ts";
import { messagesQuery, timelineQuery } from "./queries.ts";
import type { Ticket, TicketMessage } from "../types.ts";
import { Card } from "./card.tsx";
import { refusalOf } from "./stages.ts";
import classes from "./detail.module.css";

export function InvitationsCard({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation("tickets");
  const mayTimeline = reaches(useSession(), "tickets.events.read", ticket);
  return (
    <Card title={t("invitation.title")}>
      <Messages ticket={ticket} />
      {mayTimeline ? <Way ticketId={ticket.id} /> : null}
    </Card>
  );
}

function Messages({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation("tickets");
  const result = useQuery(messagesQuery(ticket.id));
  const fault = useFault(result);
  const { data } = result;
  if (data === undefined) {
    return fault === null ? (
      <Skeleton height={40} />
    ) : (
      <InlineFault error={fault} onRetry={() => void result.refetch()}>
        {t("invitation.unknown")}
      </InlineFault>
    );
  }
  return data.length === 0 ? (
    <Text size="sm" c="dimmed">
      {t("invitation.none")}
    </Text>
  ) : (
    <ul className={classes["messages"]} aria-live="polite">
      {data.map((message) => (
        <Line
          key={`${message.channel}${message.id}`}
          message={message}
          customer={ticket.requestor}
        />
      ))}
    </ul>
  );
}

const meanings: Record<TicketMessage["status"], Meaning> = {
  queued: "waiting",
  sent: "good",
  delivered: "good",
  undelivered: "bad",
  failed: "bad",
};

type LineProps = { message: TicketMessage; customer: Ticket["requestor"] };

function Line({ message, customer }: LineProps) {
  const { t } = useTranslation("tickets");
  const advice = useAdvice(message);
  const Picture = message.channel === "sms" ? IconDeviceMobileMessage : IconMail;
  const to = message.channel === "sms" ? formatPhone(message.to) : message.to;
  const isToCustomer = contactsOf(customer).some((one) => one.toLowerCase() === to.toLowerCase());
  return (
    <li className={classes["message"]} data-status={message.status}>
      <Picture size={17} aria-hidden className={classes["channel"]} />
      <div className={classes["to"]}>
        <Text size="sm" truncate>
          {to}
        </Text>
        <Text size="xs" c="dimmed">
          {t(`invitation.${message.channel}`)} ·{" "}
          <RelativeTime at={message.sent ?? message.created} />
        </Text>
        {isToCustomer ? null : (
          <Text size="xs" c="dimmed">
            {t("invitation.other")}
          </Text>
        )}
        {advice === undefined ? null : (
          <Text size="xs" c="var(--bad)">
            {advice}
          </Text>
        )}
      </div>
      <StateBadge meaning={meanings[message.status]}>{t(`message.${message.status}`)}</StateBadge>
    </li>
  );
}

/** Advice for an undelivered message; undefined if it is fine. */
function useAdvice({ status, error, channel }: TicketMessage): string | undefined {
  const { t } = useTranslation("tickets");
  if (status === "queued") {
    return error === null ? undefined : t("invitation.trying", { error });
  }
  if (status !== "failed" && status !== "undelivered") {
    return undefined;
  }
  const reason = messageErrors.find((known) => known === error);
  return reason === undefined
    ? t(`invitation.lost_${channel}`, { error: error ?? "" })
    : t(`invitation.${reason}`);
}

const steps = [
  "ticket.invitationSent",
  "ticket.invitationClicked",
  "consent.accepted",
  "ticket.invitationAccepted",
  "session.established",
] as const;

/** The customer's progress. A refusal counts until the next invitation. */
function Way({ ticketId }: { ticketId: number }) {
  const { t } = useTranslation("tickets");
  const { data } = useQuery(timelineQuery(ticketId));
  const events: readonly string[] = (data ?? []).map(({ eventType }) => eventType);
  const types = new Set(events);
  if (!types.has("ticket.invitationSent")) {
    return null;
  }
  const refusal = refusalOf(events);
  return (
    <div className={classes["way_frame"]}>
      <ol className={classes["progress"]} aria-label={t("way.title")}>
        {steps.map((type) => (
          <li key={type} data-done={types.has(type) || undefined}>
            <span>
              {t(`way.${type}`)}
              <span className="only-heard"> {t(types.has(type) ? "way.done" : "way.not_yet")}</span>
            </span>
          </li>
        ))}
        {refusal === undefined ? null : <li data-refused>{t(`way.${refusal}`)}</li>}
      </ol>
    </div>
  );
}
