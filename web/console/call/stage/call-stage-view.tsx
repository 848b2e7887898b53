/** The stage before and after the call. */
import { ActionIcon, Button, Group } from "@mantine/core";
import {
  IconBell,
  IconBellOff,
  IconDeviceMobile,
  IconPhoneCall,
  IconPhoneOff,
  IconRefresh,
  IconSend,
  IconWindow,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import { CopyLink } from "../copy-link.tsx";
import { useTranslation } from "../../../base/i18n.ts";
import type { RoomView } from "../../../rooms/room.ts";
import { useSession } from "../../session.ts";
import { allowedActions } from "../../tickets/allowed-actions.ts";
import type { Ticket } from "../../tickets/types.ts";
import type { CallStage } from "../call-stage.ts";
import { useRing } from "../use-ring.ts";
import { CallSummary } from "./call-summary.tsx";
import { OverActions } from "./over-actions.tsx";
import { StageCard } from "./stage-card.tsx";

type StageViewProps = Readonly<{
  stage: CallStage;
  view: RoomView;
  ticket: Ticket;
  name: string;
  onJoin: () => void;
  onInvite: () => void;
}>;

export function CallStageView(props: StageViewProps) {
  const { stage, view, ticket, name, onJoin } = props;
  switch (stage) {
    case "waiting":
      return <Waiting {...props} />;
    case "ringing":
      return <Ringing name={name} onAnswer={onJoin} />;
    case "ended":
      return <Ended ticket={ticket} onJoin={onJoin} />;
    case "elsewhere":
    case "lost":
      return <Interrupted stage={stage} onJoin={onJoin} />;
    case "over":
      return <Over reason={view.overReason} ticket={ticket} />;
    default:
      return <Coming {...props} stage={stage} />;
  }
}

function Ended({ ticket, onJoin }: Pick<StageViewProps, "ticket" | "onJoin">) {
  const { t } = useTranslation("call");
  return (
    <StageCard
      icon={<IconPhoneOff size={30} aria-hidden />}
      title={t("stage.ended")}
      text={t("stage.ended_text")}
    >
      <CallSummary ticket={ticket} />
      <OverActions ticket={ticket} />
      <Button variant="subtle" onClick={onJoin}>
        {t("join_again")}
      </Button>
    </StageCard>
  );
}

type InterruptedProps = Readonly<{ stage: "elsewhere" | "lost"; onJoin: () => void }>;

function Interrupted({ stage, onJoin }: InterruptedProps) {
  const { t } = useTranslation("call");
  return (
    <StageCard
      icon={<IconWindow size={30} aria-hidden />}
      title={t(`stage.${stage}`)}
      text={t(`stage.${stage}_text`)}
    >
      <Button onClick={onJoin}>{t(stage === "lost" ? "join_again" : "continue_here")}</Button>
    </StageCard>
  );
}

type ComingProps = StageViewProps &
  Readonly<{ stage: "connecting" | "arriving" | "joining" | "in-call" }>;

function Coming({ stage, view, name, onJoin }: ComingProps) {
  const { t, find } = useTranslation("call");
  const isArriving = stage === "arriving";
  return (
    <StageCard
      icon={isArriving ? <IconDeviceMobile size={30} aria-hidden /> : undefined}
      title={t(`stage.${stage}`, { name })}
      text={view.joinFault?.detail ?? find(`stage.${stage}_text`)}
      isBusy
    >
      {isArriving ? (
        <Button variant="default" onClick={onJoin}>
          {t("join")}
        </Button>
      ) : null}
    </StageCard>
  );
}

/** Before the customer arrives: the state of the invitation, with a button to resend it. */
function Waiting({ ticket, name, onJoin, onInvite, view }: StageViewProps) {
  const { t } = useTranslation("call");
  const isInvited = ticket.state === "invited" || ticket.state === "inprogress";
  const mayInvite = allowedActions(ticket, useSession()).includes("invite");
  return (
    <StageCard
      icon={<IconSend size={30} aria-hidden />}
      title={t("stage.waiting", { name })}
      text={
        view.joinFault?.detail ?? t(isInvited ? "stage.waiting_text" : "stage.not_invited_text")
      }
    >
      <Group justify="center" gap="xs">
        {mayInvite ? (
          <Button onClick={onInvite} leftSection={<IconSend size={17} aria-hidden />}>
            {t(isInvited ? "invite_again" : "invite")}
          </Button>
        ) : null}
        <CopyLink url={ticket.requestor_url} />
      </Group>
      <Button variant="subtle" onClick={onJoin}>
        {t("join")}
      </Button>
    </StageCard>
  );
}

function Ringing({ name, onAnswer }: { name: string; onAnswer: () => void }) {
  const { t } = useTranslation("call");
  const { isMuted, setMuted, isBlocked } = useRing(true, t("rings", { name }));
  const label = t(isMuted ? "ring_off" : "ring_on");
  return (
    <StageCard
      isRinging
      icon={<IconPhoneCall size={34} aria-hidden />}
      title={t("stage.ringing", { name })}
      text={t(isBlocked && !isMuted ? "sound_blocked" : "stage.ringing_text")}
    >
      <Group justify="center" gap="xs">
        <Button
          size="lg"
          color="green"
          autoFocus
          leftSection={<IconPhoneCall size={20} aria-hidden />}
          onClick={onAnswer}
        >
          {t("answer")}
        </Button>
        <ActionIcon
          size={50}
          variant="default"
          aria-label={label}
          title={label}
          aria-pressed={isMuted}
          onClick={() => setMuted(!isMuted)}
        >
          {isMuted ? <IconBellOff size={20} aria-hidden /> : <IconBell size={20} aria-hidden />}
        </ActionIcon>
      </Group>
    </StageCard>
  );
}

type OverProps = Readonly<{ reason: RoomView["overReason"]; ticket: Ticket }>;

function Over({ reason, ticket }: OverProps): ReactNode {
  const { t } = useTranslation("call");
  const isReloadable = reason === "flood" || reason === "token" || reason === "refused";
  return (
    <StageCard
      icon={<IconPhoneOff size={30} aria-hidden />}
      title={t("stage.over")}
      text={t(isReloadable ? `stage.over_${reason}` : "stage.over_text")}
    >
      {isReloadable ? (
        <Button
          leftSection={<IconRefresh size={17} aria-hidden />}
          onClick={() => window.location.reload()}
        >
          {t("reload")}
        </Button>
      ) : (
        <OverActions ticket={ticket} />
      )}
    </StageCard>
  );
}
