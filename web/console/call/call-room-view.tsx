/** The room of the agent's own ticket. */
import { useHotkeys } from "@mantine/hooks";
import { useEffect, useRef } from "react";
import { useTranslation } from "../../base/i18n.ts";
import { PartBoundary } from "../../components/error-boundary.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { showDone, showRefusal } from "../../components/show-fault.tsx";
import { postToParent } from "../../shared/parent-frame.ts";
import type { Room } from "../../rooms/room.ts";
import { useRoom } from "../../rooms/ui/use-room.ts";
import { nameOf } from "../tickets/person.ts";
import type { Ticket } from "../tickets/types.ts";
import { UnsavedQuestion } from "./board/unsaved-question.tsx";
import { useDrawing } from "./board/use-drawing.ts";
import classes from "./call.module.css";
import { customerOf, stageOf, type CallStage } from "./call-stage.ts";
import { CallPanel } from "./panel/call-panel.tsx";
import { CallStageView } from "./stage/call-stage-view.tsx";
import { InCall } from "./stage/in-call.tsx";
import { PhotoStrip } from "./stage/photo-strip.tsx";
import { ToolBar } from "./tools/tool-bar.tsx";
import { useCallTools } from "./tools/use-call-tools.ts";
import { useFollowRoom } from "./use-follow-room.ts";

const BoardView = lazyPart(async () => (await import("./board/board-view.tsx")).BoardView);

type RoomViewProps = Readonly<{ room: Room; ticket: Ticket }>;

export function CallRoomView({ room, ticket }: RoomViewProps) {
  const view = useRoom(room);
  const stage = stageOf(view);
  const customer = customerOf(view);
  const name = nameOf(ticket.requestor);
  const join = (): void => void joinCall(room);
  useFollowRoom(room, view, ticket.id);
  useNotices(room, view.notice);
  useNotifyParent(stage, view.isSavingRecording);
  const drawing = useDrawing(room, view.board !== undefined);
  const tools = useCallTools({ room, view, ticket }, drawing.open);
  useHotkeys(
    [["Enter", () => stage === "ringing" && join()]],
    ["INPUT", "TEXTAREA", "BUTTON", "A"],
  );
  const isInCall = stage === "in-call";
  return (
    <div className={classes["body"]} data-drawing={view.board === undefined ? undefined : ""}>
      <main className={classes["stage"]}>
        <div className={classes["picture"]}>
          {isInCall ? (
            <InCall {...{ room, view, customer, name }} isPointing={tools.isPointing} />
          ) : (
            <CallStageView
              {...{ stage, view, ticket, name }}
              onJoin={join}
              onInvite={tools.invite}
            />
          )}
          {view.board === undefined ? null : (
            <PartBoundary>
              <BoardView
                key={view.board.mediaId}
                {...{ room, drawing }}
                board={view.board}
                ticketId={ticket.id}
              />
            </PartBoundary>
          )}
        </div>
        <PhotoStrip {...{ view, ticket, drawing }} isBusy={tools.isTakingPhoto} />
        <UnsavedQuestion
          before="replace"
          isOpen={drawing.isAsking}
          onKeep={drawing.keep}
          onDiscard={drawing.replace}
        />
        <ToolBar tools={tools} />
      </main>
      <CallPanel ticket={ticket} room={room} />
    </div>
  );
}

/** Microphone on, camera off. Without a microphone the agent still sees and hears the customer. */
async function joinCall(room: Room): Promise<void> {
  await room.openDevices({ camera: false, microphone: true });
  await room.join();
}

function useNotices(room: Room, notice: string | undefined): void {
  const { t, find } = useTranslation("call");
  useEffect(() => {
    if (notice !== undefined) {
      const show = notice === "video-back" ? showDone : showRefusal;
      show(find(`notice.${notice}`) ?? t("notice.other"));
      room.clearNotice();
    }
  }, [notice, room, t, find]);
}

/**
 * The page around an iframe learns when the call begins and ends. It may remove the frame at the
 * end, so that comes after the upload of a recording.
 */
function useNotifyParent(stage: CallStage, isSaving: boolean): void {
  const before = useRef(stage);
  const isRinging = stage === "ringing";
  const wasRinging = useRef(false);
  useEffect(() => {
    if (isRinging !== wasRinging.current) {
      wasRinging.current = isRinging;
      postToParent({ type: "ringing", isRinging });
    }
  }, [isRinging]);
  useEffect(() => {
    const earlier = before.current;
    if (stage === "ended" && isSaving) {
      return;
    }
    before.current = stage;
    if (stage === "in-call" && earlier !== "in-call") {
      postToParent({ type: "joined" });
    } else if (stage === "ended" && earlier !== "ended") {
      postToParent({ type: "ended" });
    } else if (earlier === "in-call" && stage !== "in-call" && stage !== "joining") {
      postToParent({ type: "left" });
    }
  }, [stage, isSaving]);
}
