/** The people of a call as the page shows them: the others, and oneself. */
import { initialPeerState, type PeerState } from "../../../src/contracts/room-messages.ts";
import type { PeerRole } from "../../../src/contracts/signalling.ts";
import type { MediaState, RoomView } from "../../rooms/room.ts";
import { t } from "../texts.ts";

export type Person = Readonly<{
  id: string;
  participant: string;
  name: string;
  role: PeerRole;
  isSelf: boolean;
  state: PeerState;
  stream: MediaStream | undefined;
  screen: MediaStream | undefined;
  media: MediaState;
}>;

export function isHost(role: PeerRole | undefined): boolean {
  return role === "organizer" || role === "moderator";
}

/** Those in the call besides oneself, in the order in which they came. */
export function othersIn({ peers }: Pick<RoomView, "peers">): readonly Person[] {
  return peers
    .filter(({ isInCall }) => isInCall)
    .map((peer) => ({ ...peer, name: peer.name || fallbackName(peer.role), isSelf: false }));
}

function fallbackName(role: PeerRole): string {
  return role === "organizer" || role === "moderator"
    ? t(`badge_${role}`)
    : (roleIn({ role }) ?? t("guest"));
}

/** The person's role in a ticket's call; undefined in a meeting. */
export function roleIn({ role }: Pick<Person, "role">): string | undefined {
  return role === "agent" || role === "requestor" || role === "expert"
    ? t(`badge_${role}`)
    : undefined;
}

const nobody = {
  id: "",
  participant: "",
  name: "",
  role: "participant",
  state: initialPeerState,
} as const;

export function selfIn({ self, local, recording }: RoomView): Person {
  const { isMicOn, isCameraOn, isPaused, quality, stream, screen } = local;
  const { id, participant, name, role, state } = self ?? nobody;
  return {
    ...{ id, participant, role },
    name: name || fallbackName(role),
    isSelf: true,
    state: {
      ...state, // with the raised hand, which outlasts leaving and joining again
      ...{ isMicOn, isCameraOn, isPaused, quality },
      isSharing: screen !== undefined,
      isRecording: recording.state === "recording" && recording.by === undefined,
    },
    ...{ stream, screen },
    media: "connected",
  };
}

/** Only front cameras are mirrored. A computer's camera does not report its direction. */
export function isFrontCamera(stream: MediaStream | undefined): boolean {
  return stream?.getVideoTracks()[0]?.getSettings().facingMode !== "environment";
}

/** Up to two letters. Pure. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/u).filter((word) => word !== "");
  const letters = [words[0], words.length > 1 ? words[words.length - 1] : undefined];
  return letters
    .map((word) => [...(word ?? "")][0] ?? "")
    .join("")
    .toUpperCase();
}
