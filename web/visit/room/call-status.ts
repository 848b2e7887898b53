/** The one sentence about the call that matters most. Pure. */
import type { RoomNotice } from "../../rooms/notices.ts";
import type { PeerView, RoomView } from "../../rooms/room.ts";
import type { TextKey } from "../text-key.ts";

export type CallStatus = Readonly<{
  tone: "calm" | "note" | "warning";
  text: TextKey | undefined;
}>;

/** Staff and hosts cause the other notices: none of them is shown here. */
const noticeTexts: Readonly<Partial<Record<RoomNotice, TextKey>>> = {
  "photo-failed": "notice_photo_failed",
  "file-too-large": "notice_file_too_large",
  "file-type-refused": "notice_file_type_refused",
  "file-failed": "notice_file_failed",
  "chat-unsent": "notice_chat_unsent",
  "chat-refused": "notice_chat_refused",
  "audio-only": "notice_audio_only",
  "video-back": "notice_video_back",
};

export function callStatus(
  view: RoomView,
  agent: PeerView | undefined,
  note: TextKey | undefined,
): CallStatus {
  if (view.connection === "reconnecting") {
    // Media do not pass through the platform: they may go on while it is unreachable.
    const isCallAlive = agent?.media === "connected";
    return { tone: "warning", text: isCallAlive ? "platform_reconnecting" : "reconnecting" };
  }
  if (view.notice !== undefined) {
    const tone = view.notice === "video-back" ? "note" : "warning";
    return { tone, text: noticeTexts[view.notice] ?? "notice_other" };
  }
  if (note !== undefined) {
    return { tone: "note", text: note };
  }
  return statusOfMedia(view, agent);
}

/** A large one says itself that it is paused. */
function isOwnPictureSmall({ board }: RoomView, { state }: PeerView): boolean {
  return board !== undefined || state.isCameraOn || state.isSharing;
}

const devicesAsking: CallStatus = { tone: "note", text: "devices_asking" };

function statusOfMedia(view: RoomView, agent: PeerView | undefined): CallStatus {
  if (view.phase !== "in-call") {
    return { tone: "calm", text: "connecting" };
  }
  if (agent === undefined) {
    return view.local.isAsking ? devicesAsking : { tone: "calm", text: "waiting_text" };
  }
  if (agent.media === "failed") {
    return { tone: "warning", text: "agent_unreachable" };
  }
  if (agent.media === "reconnecting") {
    return { tone: "warning", text: "agent_reconnecting" };
  }
  if (agent.media === "connecting") {
    return { tone: "calm", text: "connecting" };
  }
  return statusOfOwn(view, agent);
}

function statusOfOwn(view: RoomView, agent: PeerView): CallStatus {
  if (view.local.isAsking) {
    return devicesAsking;
  }
  if (view.local.isPaused && isOwnPictureSmall(view, agent)) {
    return { tone: "note", text: "paused_text" };
  }
  const quality = view.self?.state.quality;
  return quality === "fair" || quality === "poor"
    ? { tone: "warning", text: `quality_${quality}` }
    : { tone: "calm", text: undefined };
}
