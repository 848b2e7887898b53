/** The list on a phone: one card per ticket. */
import { Skeleton, Stack, Text } from "@mantine/core";
import { useTranslation } from "../../../base/i18n.ts";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { TicketStateBadge } from "../states.tsx";
import type { ListedTicket } from "../types.ts";
import { Customer, NextStep } from "./columns.tsx";
import { QuickActions } from "./quick-actions.tsx";
import classes from "./list.module.css";

type CardsProps = Readonly<{
  tickets: readonly ListedTicket[] | undefined;
  onOpen: (id: number) => void;
}>;

export function TicketCards({ tickets, onOpen }: CardsProps) {
  const { t } = useTranslation("tickets");
  if (tickets === undefined) {
    return (
      <Stack gap="xs">
        {[1, 2, 3, 4].map((row) => (
          <Skeleton key={row} height={104} />
        ))}
      </Stack>
    );
  }
  return (
    <ul className={classes["cards"]} aria-label={t("list.title")}>
      {tickets.map((ticket) => (
        <Card key={ticket.id} ticket={ticket} onOpen={onOpen} />
      ))}
    </ul>
  );
}

function Card({ ticket, onOpen }: { ticket: ListedTicket } & Pick<CardsProps, "onOpen">) {
  const { t } = useTranslation("tickets");
  return (
    <li className={classes["card"]}>
      <button
        type="button"
        className={classes["card_open"]}
        aria-label={t("list.open", { id: ticket.id })}
        onClick={() => onOpen(ticket.id)}
      />
      <div className={classes["card_head"]}>
        <span className="mono">{ticket.id}</span>
        <TicketStateBadge state={ticket.state} />
        <span className={classes["card_time"]}>
          <RelativeTime at={ticket.created} />
        </span>
      </div>
      <Customer ticket={ticket} />
      {ticket.subject === null ? null : (
        <Text size="sm" lineClamp={2}>
          {ticket.subject}
        </Text>
      )}
      <div className={classes["card_foot"]}>
        <NextStep ticket={ticket} isOnlyNear />
        <QuickActions ticket={ticket} />
      </div>
    </li>
  );
}
