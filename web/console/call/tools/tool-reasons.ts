/** Why a tool cannot be used now; undefined if it can. Pure. */
import type { CameraState } from "../../../../src/contracts/room-messages.ts";
import type { RoomView } from "../../../rooms/room.ts";
import type { CallStage, CustomerState } from "../call-stage.ts";

export const tools = [
  ...([
    "photo",
    "freeze",
    "pointer",
    "torch",
    "zoom",
    "switch-camera",
    "locate",
    "record",
  ] as const),
  ...(["mic", "camera", "share", "invite", "expert", "transfer", "end"] as const),
] as const;

export type Tool = (typeof tools)[number];

/** The last part of its text key: `reason.<…>`. */
export type ToolReason =
  | "not_in_call"
  | "customer_away"
  | "paused"
  | "no_camera"
  | "no_torch"
  | "no_zoom"
  | "one_camera"
  | "no_screen"
  | "others_record"
  | "not_allowed";

export type ToolFacts = Readonly<{
  stage: CallStage;
  customer: CustomerState;
  camera: CameraState | null;
  recording: RoomView["recording"];
  canShareScreen: boolean;
  mayInvite: boolean;
  mayTransfer: boolean;
  mayInviteExpert: boolean;
}>;

export function reasonAgainst(tool: Tool, facts: ToolFacts): ToolReason | undefined {
  switch (tool) {
    case "invite":
      return facts.mayInvite ? undefined : "not_allowed";
    case "transfer":
      return facts.mayTransfer ? undefined : "not_allowed";
    default:
      return facts.stage === "in-call" ? reasonInCall(tool, facts) : "not_in_call";
  }
}

type CallTool = Exclude<Tool, "invite" | "transfer">;

function reasonInCall(tool: CallTool, facts: ToolFacts): ToolReason | undefined {
  switch (tool) {
    case "mic":
    case "camera":
    case "end":
      return undefined;
    case "expert":
      return unless(facts.mayInviteExpert, "not_allowed");
    case "share":
      return unless(facts.canShareScreen, "no_screen");
    case "record":
      return reasonAgainstRecording(facts);
    case "locate":
      return reasonWithoutCustomer(facts);
    default:
      return reasonWithoutCustomer(facts) ?? reasonOfCamera(tool, facts);
  }
}

function unless(isPossible: boolean, reason: ToolReason): ToolReason | undefined {
  return isPossible ? undefined : reason;
}

function reasonAgainstRecording(facts: ToolFacts): ToolReason | undefined {
  const { state, by } = facts.recording;
  return state === "recording" && by !== undefined ? "others_record" : reasonWithoutCustomer(facts);
}

function reasonWithoutCustomer({ customer }: ToolFacts): ToolReason | undefined {
  return customer === "absent" || customer === "failed" ? "customer_away" : undefined;
}

type CameraTool = "photo" | "freeze" | "pointer" | "torch" | "zoom" | "switch-camera";

function reasonOfCamera(tool: CameraTool, facts: ToolFacts): ToolReason | undefined {
  const { customer, camera } = facts;
  if (customer === "paused") {
    return "paused";
  }
  if (tool === "pointer") {
    return customer === "no-camera" ? "no_camera" : undefined;
  }
  if (camera === null) {
    return "no_camera";
  }
  return reasonOfDevice(tool, camera);
}

function reasonOfDevice(
  tool: Exclude<CameraTool, "pointer">,
  camera: CameraState,
): ToolReason | undefined {
  if (tool === "torch" && camera.isTorchOn === null) {
    return "no_torch";
  }
  if (tool === "zoom" && camera.zoom === null) {
    return "no_zoom";
  }
  return tool === "switch-camera" && !camera.canSwitch ? "one_camera" : undefined;
}
