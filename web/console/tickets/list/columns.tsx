/** Columns of the ticket list, the most important first. */
import { Avatar, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import type { Column } from "../../../components/data-table.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { useMay } from "../../session.ts";
import { isSoon } from "../next-deadline.ts";
import { contactsOf, nameOf } from "../person.ts";
import { servicesQuery } from "../queries.ts";
import { nextOf, TicketStateBadge } from "../states.tsx";
import type { ListedTicket, SomeTicket } from "../types.ts";
import { useAgentName } from "../use-agents.ts";
import { useIsWaiting } from "../use-waiting.ts";
import { QuickActions } from "./quick-actions.tsx";
import classes from "./list.module.css";

export function useColumns(): Column<ListedTicket>[] {
  const { t } = useTranslation("tickets");
  const names = useServiceNames();
  return useMemo(() => {
    const column = (
      id: "id" | "state" | "customer" | "reference" | "subject" | "agent" | "service" | "created",
      cell: (ticket: ListedTicket) => React.ReactNode,
      where: Pick<Column<ListedTicket>, "isMinor" | "isRoomy"> = {},
    ): Column<ListedTicket> => ({ id, header: t(`column.${id}`), cell, ...where });
    const all = [
      column("id", ({ id }) => (
        <Link
          to="/tickets/$ticketId"
          params={{ ticketId: String(id) }}
          className={`mono ${classes["id"]}`}
          onClick={(event) => event.stopPropagation()}
        >
          {id}
        </Link>
      )),
      column("state", (ticket) => (
        <>
          <TicketStateBadge state={ticket.state} />
          <NextStep ticket={ticket} isOnlyNear />
        </>
      )),
      column("customer", (ticket) => <Customer ticket={ticket} />),
      column(
        "reference",
        ({ reference }) => <span className={`mono ${classes["reference"]}`}>{reference}</span>,
        {
          isMinor: true,
        },
      ),
      column("subject", (ticket) => <Subject ticket={ticket} />, { isMinor: true }),
      column("agent", ({ agent }) => <AgentName login={agent} />, { isMinor: true }),
      column(
        "created",
        ({ created }) => (
          <span className={classes["when"]}>
            <RelativeTime at={created} />
          </span>
        ),
        { isMinor: true },
      ),
    ];
    const service = column("service", ({ service_key: key }) => names.get(key) ?? "–", {
      isRoomy: true,
    });
    const actions: Column<ListedTicket> = {
      id: "actions",
      isFixed: true,
      header: t("column.actions"),
      isHeard: true,
      cell: (ticket) => <QuickActions ticket={ticket} />,
      isNumber: true,
    };
    return [...all, ...(names.size > 1 ? [service] : []), actions];
  }, [t, names]);
}

function useServiceNames(): ReadonlyMap<string, string> {
  const { data } = useQuery({ ...servicesQuery, enabled: useMay("services.read") });
  return useMemo(
    () => new Map((data ?? []).map(({ service_key: key, name }) => [key, name])),
    [data],
  );
}

type NextStepProps = Readonly<{
  ticket: SomeTicket;
  /** In a list: deadlines of the next days only. */
  isOnlyNear?: boolean;
}>;

/** That the customer waits, else the next automatic step of a ticket. */
export function NextStep({ ticket, isOnlyNear = false }: NextStepProps) {
  const { t } = useTranslation("tickets");
  const [now] = useState(() => Date.now());
  const next = nextOf(ticket, now);
  if (useIsWaiting(ticket.id)) {
    return <span className={classes["waiting"]}>{t("waiting.customer")}</span>;
  }
  if (next === null || (isOnlyNear && !isSoon(next, now))) {
    return null;
  }
  return (
    <span className={classes["next"]}>
      {t(`next.${next.what}`)} <RelativeTime at={next.at} />
    </span>
  );
}

export function Customer({ ticket }: { ticket: SomeTicket }) {
  const name = nameOf(ticket.requestor);
  const others = contactsOf(ticket.requestor).filter((contact) => contact !== name);
  return (
    <div className={classes["customer"]}>
      <Text size="sm" truncate>
        {name}
      </Text>
      {others.length === 0 ? null : (
        <Text size="xs" c="dimmed" truncate>
          {others.join(" · ")}
        </Text>
      )}
    </div>
  );
}

function Subject({ ticket }: { ticket: ListedTicket }) {
  return (
    <div className={classes["subject"]}>
      <Text size="sm" truncate c={ticket.subject === null ? "dimmed" : "var(--text)"}>
        {ticket.subject ?? "–"}
      </Text>
    </div>
  );
}

/** The name if known; the login, often truncated, on hover. */
function AgentName({ login }: { login: string }) {
  const mayNames = useMay("users.read");
  const name = useAgentName(mayNames && login !== "" ? login : undefined) ?? login;
  return name === "" ? (
    "–"
  ) : (
    <span className={classes["agent"]} title={login}>
      <Avatar size={20} radius="xl" name={name} color="accent" aria-hidden />
      <span className={classes["agent_name"]}>{name}</span>
    </span>
  );
}
