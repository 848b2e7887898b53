import { Button, Text } from "@mantine/core";
import { IconMapPin } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "../../../base/i18n.ts";
import { api, call } from "../../../base/api.ts";
import { CopyText } from "../../../components/copy-button.tsx";
import { showDone, showFault } from "../../../components/show-fault.tsx";
import { useSession } from "../../session.ts";
import { formatPhone, nameOf } from "../person.ts";
import { reaches } from "../allowed-actions.ts";
import { Coordinates } from "../timeline/event-line.tsx";
import type { Ticket } from "../types.ts";
import { Card, Facts } from "./card.tsx";
import classes from "./detail.module.css";
import { useAccuracy } from "./use-accuracy.ts";

export function CustomerCard({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation("tickets");
  const { phone, email, company, firstname, lastname } = ticket.requestor;
  const hasName = firstname !== undefined || lastname !== undefined;
  const facts: [string, React.ReactNode][] = [
    ...(hasName
      ? [[t("field.customer"), nameOf(ticket.requestor)] as [string, React.ReactNode]]
      : []),
    ...(company === undefined ? [] : [[t("field.company"), company] as [string, React.ReactNode]]),
    ...(phone === undefined
      ? []
      : [
          [
            t("field.phone"),
            <span key="p" className={classes["address"]}>
              <a href={`tel:${phone}`}>{formatPhone(phone)}</a>
            </span>,
          ] as [string, React.ReactNode],
        ]),
    ...(email === undefined
      ? []
      : [
          [t("field.email"), <CopyText key="e" value={email} name={t("field.email")} />] as [
            string,
            React.ReactNode,
          ],
        ]),
    [t("detail.position"), <Position key="g" ticket={ticket} />],
  ];
  return (
    <Card title={t("field.customer")}>
      <Facts facts={facts} />
    </Card>
  );
}

/** States in which the customer can answer. */
const canAnswer: readonly string[] = ["new", "open", "opened", "updated", "invited", "inprogress"];

function Position({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation("tickets");
  const session = useSession();
  const requesting = useMutation({
    mutationFn: () =>
      call(
        api.POST("/api/tickets/{ticketId}/position-requests", {
          params: { path: { ticketId: ticket.id } },
        }),
      ),
    onSuccess: () => showDone(t("detail.position_asked")),
    onError: showFault,
  });
  const accuracy = useAccuracy(ticket);
  const mayAsk = reaches(session, "tickets.write", ticket) && canAnswer.includes(ticket.state);
  return (
    <div className={classes["position"]}>
      {ticket.geoloc === null ? (
        <Text span size="sm" c="dimmed">
          {t("detail.no_position")}
        </Text>
      ) : (
        <Coordinates {...ticket.geoloc} />
      )}
      {accuracy === undefined ? null : (
        <Text span size="sm" c="dimmed">
          {accuracy}
        </Text>
      )}
      {mayAsk ? (
        <Button
          size="compact-xs"
          variant="subtle"
          loading={requesting.isPending}
          leftSection={<IconMapPin size={13} aria-hidden />}
          onClick={() => requesting.mutate()}
        >
          {t("detail.ask_position")}
        </Button>
      ) : null}
    </div>
  );
}
