/** Actions after the call. */
import { Button, Group } from "@mantine/core";
import { IconArchive, IconReport, IconTicket } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { showDone } from "../../../components/show-fault.tsx";
import { useSession } from "../../session.ts";
import { allowedActions } from "../../tickets/allowed-actions.ts";
import { ActionDialog } from "../../tickets/detail/use-action-dialog.ts";
import type { Ticket } from "../../tickets/types.ts";

export function OverActions({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation("call");
  return (
    <Group justify="center" gap="xs">
      <Button
        component="a"
        href={`/tickets/${ticket.id}`}
        target="_blank"
        rel="noopener"
        leftSection={<IconTicket size={17} aria-hidden />}
      >
        {t("back")}
      </Button>
      <Button
        component="a"
        href={`/tickets/${ticket.id}/report`}
        target="_blank"
        rel="noopener"
        variant="default"
        leftSection={<IconReport size={17} aria-hidden />}
      >
        {t("report")}
      </Button>
      <CloseTicket ticket={ticket} />
    </Group>
  );
}

function CloseTicket({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation("call");
  const { t: say } = useTranslation("tickets");
  const [isAsking, setAsking] = useState(false);
  const mayClose = allowedActions(ticket, useSession()).includes("close");
  return (
    <>
      {mayClose ? (
        <Button
          variant="default"
          leftSection={<IconArchive size={17} aria-hidden />}
          onClick={() => setAsking(true)}
        >
          {t("close")}
        </Button>
      ) : null}
      {isAsking ? (
        <ActionDialog
          ticket={ticket}
          action="close"
          onClose={() => setAsking(false)}
          onDone={() => showDone(say("action.close.done", { id: ticket.id }))}
        />
      ) : null}
    </>
  );
}
