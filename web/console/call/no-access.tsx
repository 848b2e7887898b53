/** Why this user cannot enter the room, and what to do. */
import { Button, Group } from "@mantine/core";
import { IconHandGrab, IconLock, IconPlugConnectedX, IconUserOff } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "../../base/i18n.ts";
import { asProblem } from "../../base/problem.ts";
import { ErrorBox } from "../../components/error-box.tsx";
import { showDone, showFault } from "../../components/show-fault.tsx";
import { useSession } from "../session.ts";
import { allowedActions } from "../tickets/allowed-actions.ts";
import { useTicketActions } from "../tickets/ticket-actions.ts";
import type { Ticket } from "../tickets/types.ts";
import { useHandedOver } from "./handed-over.ts";
import { StageCard } from "./stage/stage-card.tsx";
import { OverActions } from "./stage/over-actions.tsx";

type TicketProps = Readonly<{ ticket: Ticket }>;

/** The ticket has another agent, or none. */
export function NotYours({ ticket }: TicketProps) {
  const { t } = useTranslation("call");
  const { user } = useSession();
  const take = useTakeAction(ticket);
  const isHandedOver = useHandedOver();
  const perform = useTicketActions();
  const taking = useMutation({
    mutationFn: (action: "take" | "assign") =>
      perform(action, ticket.id, action === "assign" ? { agent: user.login } : {}),
    onSuccess: () => showDone(t("taken")),
    onError: showFault,
  });
  return (
    <StageCard
      icon={<IconUserOff size={30} aria-hidden />}
      title={ticket.agent === "" ? t("no_agent") : t("not_yours", { agent: ticket.agent })}
      text={t(textFor(take, isHandedOver))}
    >
      {take === undefined ? null : (
        <Button
          size="md"
          loading={taking.isPending}
          leftSection={<IconHandGrab size={18} aria-hidden />}
          onClick={() => taking.mutate(take)}
        >
          {t("take")}
        </Button>
      )}
    </StageCard>
  );
}

function textFor(take: "take" | "assign" | undefined, isHandedOver: boolean) {
  if (isHandedOver) {
    return "handed_over_text";
  }
  return take === undefined ? "not_yours_ask" : "not_yours_text";
}

/** The action that assigns the ticket to this user; undefined if there is none. */
function useTakeAction(ticket: Ticket): "take" | "assign" | undefined {
  const session = useSession();
  const actions = allowedActions(ticket, session);
  if (!session.user.is_agent) {
    return undefined;
  }
  return (["take", "assign"] as const).find((action) => actions.includes(action));
}

type NoAccessProps = TicketProps & Readonly<{ error: unknown; onRetry: () => void }>;

/** No room: the ticket is over, or out of reach. */
export function NoAccess({ ticket, error, onRetry }: NoAccessProps) {
  const { t } = useTranslation("call");
  const { status } = asProblem(error);
  if (status === 409 || status === 410) {
    return (
      <StageCard
        icon={<IconLock size={30} aria-hidden />}
        title={t("stage.over")}
        text={t("stage.over_text")}
      >
        <OverActions ticket={ticket} />
      </StageCard>
    );
  }
  return (
    <StageCard icon={<IconPlugConnectedX size={30} aria-hidden />} title={t("no_access")}>
      <Group maw={420}>
        <ErrorBox error={error} onRetry={onRetry} />
      </Group>
    </StageCard>
  );
}
