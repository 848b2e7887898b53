/** The actions of the tools, and why some are unavailable. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, call } from "../../../base/api.ts";
import { useTranslation } from "../../../base/i18n.ts";
import { showDone, showFault, showRefusal } from "../../../components/show-fault.tsx";
import { useSingleKeys } from "../../../components/single-keys.ts";
import { postToParent } from "../../../shared/parent-frame.ts";
import type { CallCommand } from "../../../../src/contracts/room-messages.ts";
import { isOwnRecording } from "../../../rooms/recording/answers.ts";
import type { PeerView, Room, RoomView } from "../../../rooms/room.ts";
import { useSession } from "../../session.ts";
import { allowedActions, reaches } from "../../tickets/allowed-actions.ts";
import type { Ticket } from "../../tickets/types.ts";
import type { Drawing } from "../board/use-drawing.ts";
import { customerOf, customerStateOf, stageOf } from "../call-stage.ts";
import { grabFrame } from "./grab-frame.ts";
import { keyOfTool } from "./shortcuts.ts";
import { takePhoto } from "./take-photo.ts";
import {
  reasonAgainst,
  tools,
  type Tool,
  type ToolFacts,
  type ToolReason,
} from "./tool-reasons.ts";

export type ToolsInput = Readonly<{ room: Room; view: RoomView; ticket: Ticket }>;

type Dialog = "invite" | "transfer" | "expert" | "end" | "shortcuts";

export type CallTools = Readonly<{
  room: Room;
  ticket: Ticket;
  view: RoomView;
  customer: PeerView | undefined;
  isPointing: boolean;
  isTakingPhoto: boolean;
  /** Tools that wait for an answer. */
  busy: ReadonlySet<Tool>;
  dialog: Dialog | undefined;
  openDialog: (dialog: Dialog | undefined) => void;
  invite: () => void;
  reasonOf: (tool: Tool) => ToolReason | undefined;
  run: (tool: Tool) => void;
  setZoom: (value: number) => void;
  end: () => Promise<void>;
}>;

export function useCallTools(
  { room, view, ticket }: ToolsInput,
  drawOn: Drawing["open"],
): CallTools {
  const customer = customerOf(view);
  const facts = useFacts({ room, view, ticket });
  const [isPointing, setPointing] = useState(false);
  const [dialog, openDialog] = useState<Dialog>();
  const { busy, track } = useBusy();
  const commands = useCommands(room, customer, ticket);
  const freeze = async (): Promise<void> => {
    const mediaId = await commands.photo();
    if (mediaId !== undefined) {
      drawOn(mediaId);
    }
  };
  const actions: Record<Tool, () => unknown> = {
    photo: () => track("photo", commands.photo),
    freeze: () => track("freeze", freeze),
    pointer: () => {
      room.movePointer(null);
      setPointing(!isPointing);
    },
    torch: () =>
      track("torch", () =>
        commands.send({ name: "torch", isOn: facts.camera?.isTorchOn !== true }),
      ),
    zoom: () => undefined,
    "switch-camera": () => track("switch-camera", () => commands.send({ name: "switch-camera" })),
    locate: () => track("locate", commands.locate),
    record: () => (isOwnRecording(view.recording) ? room.stopRecording() : room.askToRecord()),
    mic: () => room.setMic(!view.local.isMicOn),
    camera: () => room.setCamera(!view.local.isCameraOn),
    share: () => room.shareScreen(view.local.screen === undefined),
    invite: () => openDialog("invite"),
    transfer: () => openDialog("transfer"),
    expert: () => openDialog("expert"),
    end: () => openDialog("end"),
  };
  const reasonOf = (tool: Tool): ToolReason | undefined => reasonAgainst(tool, facts);
  const run = (tool: Tool): void => {
    if (reasonOf(tool) === undefined && !busy.has(tool)) {
      void actions[tool]();
    }
  };
  useSingleKeys([
    ...tools.flatMap((tool) => {
      const key = keyOfTool[tool];
      return key === undefined ? [] : [[key, () => run(tool)] as [string, () => void]];
    }),
    ["shift+?", () => openDialog("shortcuts")],
    ["?", () => openDialog("shortcuts")],
  ]);
  return {
    ...{ room, ticket, view, customer, isPointing, busy, dialog, openDialog, reasonOf, run },
    isTakingPhoto: busy.has("photo") || busy.has("freeze"),
    invite: () => openDialog("invite"),
    setZoom: (value) => void commands.send({ name: "zoom", value }),
    end: () => room.end(),
  };
}

function useFacts({ view, ticket }: ToolsInput): ToolFacts {
  const customer = customerOf(view);
  const session = useSession();
  const actions = allowedActions(ticket, session);
  return {
    stage: stageOf(view),
    customer: customerStateOf(customer),
    camera: customer?.state.camera ?? null,
    recording: view.recording,
    canShareScreen: "getDisplayMedia" in (navigator.mediaDevices ?? {}),
    mayInvite: actions.includes("invite"),
    mayTransfer: actions.includes("assign"),
    mayInviteExpert: reaches(session, "tickets.write", ticket),
  };
}

function useBusy() {
  const [busy, setBusy] = useState<ReadonlySet<Tool>>(new Set());
  const track = async (tool: Tool, work: () => Promise<unknown>): Promise<void> => {
    setBusy((before) => new Set([...before, tool]));
    try {
      await work();
    } catch (thrown) {
      showFault(thrown);
    } finally {
      setBusy((before) => new Set([...before].filter((one) => one !== tool)));
    }
  };
  return { busy, track };
}

/** Commands to the customer's device, and the messages about their results. */
function useCommands(room: Room, customer: PeerView | undefined, ticket: Ticket) {
  const { t } = useTranslation("call");
  const queries = useQueryClient();
  const photo = async (): Promise<number | undefined> => {
    if (customer === undefined) {
      return undefined;
    }
    const video = document.querySelector<HTMLVideoElement>("[data-customer-video] video");
    const taken = await takePhoto(room, customer, () => grabFrame(video));
    if (taken.kind === "refused") {
      showRefusal(t(taken.reason === "failed" ? "photo.failed" : `command.${taken.reason}`));
      return undefined;
    }
    if (taken.kind === "fallback") {
      showDone(t("photo.fallback"));
    }
    postToParent({ type: "snapshot", mediaId: taken.mediaId });
    return taken.mediaId;
  };
  const send = async (command: CallCommand): Promise<boolean> => {
    if (customer === undefined) {
      return false;
    }
    const result = await room.command(customer.id, command);
    if (!result.ok) {
      showRefusal(t(`command.${result.reason}`));
    }
    return result.ok;
  };
  return {
    photo,
    send,
    locate: async () => {
      const params = { path: { ticketId: ticket.id } };
      const asked = await call(api.POST("/api/tickets/{ticketId}/position-requests", { params }));
      showDone(t("locate.asked"));
      if (await send({ name: "locate", requestId: asked.id })) {
        showDone(t("locate.found"));
        await queries.invalidateQueries({ queryKey: ["tickets", ticket.id] });
      }
    },
  };
}
