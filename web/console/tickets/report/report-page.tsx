/** A ticket's report, for printing or as a PDF. */
import { Anchor, Button, Skeleton, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { IconArrowLeft, IconPrinter, IconTicketOff } from "@tabler/icons-react";
import { useIsFetching, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { formatExact } from "../../../base/format.ts";
import { useTranslation } from "../../../base/i18n.ts";
import { asProblem } from "../../../base/problem.ts";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorBox } from "../../../components/error-box.tsx";
import { nameOf } from "../person.ts";
import { ticketQuery } from "../queries.ts";
import type { Ticket } from "../types.ts";
import { ReportParts } from "./report-parts.tsx";
import classes from "./report.module.css";

export function ReportPage() {
  const { t } = useTranslation("tickets");
  const { ticketId: input = "" } = useParams({ strict: false });
  const isNumber = /^[1-9]\d{0,14}$/u.test(input);
  useDocumentTitle(`${t("report.title")} ${input} · Sightline`);
  return isNumber ? <Report key={input} ticketId={Number(input)} /> : <NoTicket />;
}

function NoTicket() {
  const { t } = useTranslation("tickets");
  return (
    <EmptyState icon={IconTicketOff} title={t("detail.no_such")} text={t("detail.no_such_text")} />
  );
}

function Report({ ticketId }: { ticketId: number }) {
  const {
    data: ticket,
    error,
    refetch,
  } = useQuery({
    ...ticketQuery(ticketId),
    refetchInterval: false,
  });
  if (ticket !== undefined) {
    return <Printable ticket={ticket} />;
  }
  if (error === null) {
    return <Skeleton height={320} />;
  }
  return asProblem(error).status === 404 ? (
    <NoTicket />
  ) : (
    <ErrorBox error={error} onRetry={() => void refetch()} />
  );
}

function Printable({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation("tickets");
  const [made] = useState(() => new Date());
  const isComplete = useIsFetching({ queryKey: ["tickets", ticket.id, "report"] }) === 0;
  const values = { id: ticket.id, customer: ticket.name ?? nameOf(ticket.requestor) };
  return (
    <article className={classes["report"]}>
      <div className={classes["tools"]}>
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link {...props} to="/tickets/$ticketId" params={{ ticketId: String(ticket.id) }} />
          )}
        >
          <IconArrowLeft size={15} aria-hidden /> {t("detail.title", { id: ticket.id })}
        </Anchor>
        <Button
          leftSection={<IconPrinter size={17} aria-hidden />}
          disabled={!isComplete}
          onClick={() => window.print()}
        >
          {t("report.print")}
        </Button>
      </div>
      <header className={classes["head"]}>
        <Title order={1}>{t("report.title")}</Title>
        <Text size="lg">{t("report.of", values)}</Text>
        <Text size="sm" c="dimmed">
          {t("report.made", { at: formatExact(made) })}
        </Text>
      </header>
      <ReportParts ticket={ticket} />
    </article>
  );
}
