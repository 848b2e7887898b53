/** Who has to agree before a recording begins. Pure. */
import type { RoomPeer } from "../../../src/contracts/room-messages.ts";
import { mustAgreeToRecording } from "../../../src/contracts/signalling.ts";
import type { RecordingView } from "../room.ts";

/** This page records, or paused its recording. */
export function isOwnRecording({ state, by }: RecordingView): boolean {
  return by === undefined && (state === "recording" || state === "paused");
}

export type Answers = ReadonlyMap<string, boolean>;

/** Those who record do not ask each other. */
export function mustAgree({ isInCall, role }: RoomPeer): boolean {
  return isInCall && mustAgreeToRecording(role);
}

/** One refusal is enough; those who left do not count. */
export function verdictOf(
  peers: readonly RoomPeer[],
  answers: Answers,
): "accepted" | "refused" | "open" {
  const asked = peers.filter(mustAgree);
  if (asked.some(({ id }) => answers.get(id) === false)) {
    return "refused";
  }
  return asked.every(({ id }) => answers.get(id) === true) ? "accepted" : "open";
}
