/**
 * Messages of a call in the namespace `/rtc`: docs/api/signalling.md. Every message of a client is
 * answered by an acknowledgement. The server checks roles and shapes; a page decides nothing.
 */
import type { MessageWindow, PeerRole, Reply, RoomMessage } from "./signalling.ts";

export const callQualities = ["good", "fair", "poor"] as const;

/** Estimated by the page itself from `getStats`, with hysteresis. */
export type CallQuality = (typeof callQualities)[number];

/** A range of the camera's zoom, as the browser reports it. */
export type ZoomRange = Readonly<{ min: number; max: number; step: number; value: number }>;

/** What others may do with this camera. Null: no camera, or not shared. */
export type CameraState = Readonly<{
  facing: "user" | "environment" | null;
  canSwitch: boolean;
  /** Null: this device has no torch that a page can use. */
  isTorchOn: boolean | null;
  /** Null: this device cannot zoom. */
  zoom: ZoomRange | null;
}>;

/** What a page reports about itself; kept by the server for those who come later. */
export type PeerState = Readonly<{
  isMicOn: boolean;
  isCameraOn: boolean;
  isSharing: boolean;
  /** The customer paused the video for privacy. */
  isPaused: boolean;
  isHandRaised: boolean;
  /** Only the host's page may set it; all pages show it. */
  isRecording: boolean;
  quality: CallQuality;
  camera: CameraState | null;
}>;

export const initialPeerState: PeerState = {
  isMicOn: false,
  isCameraOn: false,
  isSharing: false,
  isPaused: false,
  isHandRaised: false,
  isRecording: false,
  quality: "good",
  camera: null,
};

/** A connected page. One participant may have several; at most one of them is in the call. */
export type RoomPeer = Readonly<{
  id: string;
  role: PeerRole;
  name: string;
  /**
   * The same on every page of the same person: `requestor`, `agent:3`, `expert-<uuid>`,
   * `user-3`, `guest-<uuid>`.
   */
  participant: string;
  /** Decided by the server: the page takes part in the session and may exchange media. */
  isInCall: boolean;
  state: PeerState;
}>;

export type IceServer = Readonly<{
  urls: readonly string[];
  username?: string;
  credential?: string;
}>;

export type IceSettings = Readonly<{
  servers: readonly IceServer[];
  policy: "all" | "relay";
  /** Seconds until the TURN credentials expire; null without any. */
  expiresInSeconds: number | null;
}>;

/** How media travel. The server decides, and may change it during a call. */
export type MediaRoute =
  | Readonly<{ kind: "mesh" }>
  | Readonly<{ kind: "livekit"; url: string; token: string }>;

export type CallJoined = Readonly<{
  sessionId: string;
  ice: IceSettings;
  route: MediaRoute;
  peers: readonly RoomPeer[];
}>;

/** A mesh cannot be watched. */
export type CallWatched = Readonly<{ route: MediaRoute; peers: readonly RoomPeer[] }>;

export const descriptionTypes = ["offer", "answer", "rollback"] as const;
export type SessionDescription = Readonly<{ type: (typeof descriptionTypes)[number]; sdp: string }>;

export type IceCandidate = Readonly<{
  candidate: string;
  sdpMid: string | null;
  sdpMLineIndex: number | null;
  usernameFragment: string | null;
}>;

/** Exactly one of the two. `streams` names the id of each stream in the description. */
export type CallSignal = Readonly<{
  description?: SessionDescription;
  streams?: Readonly<{ camera: string | null; screen: string | null }>;
  candidate?: IceCandidate | null;
}>;

/** Sent by the agent to the customer's page; `mute` also by hosts to anybody in a meeting. */
export type CallCommand =
  | Readonly<{ name: "snapshot" }>
  | Readonly<{ name: "switch-camera" }>
  | Readonly<{ name: "torch"; isOn: boolean }>
  | Readonly<{ name: "zoom"; value: number }>
  | Readonly<{ name: "locate"; requestId: string }>
  | Readonly<{ name: "mute" }>;

/** Why a page did not do what a command asked for. */
export const commandFailures = ["unsupported", "denied", "paused", "failed", "busy"] as const;
export type CommandResult =
  | Readonly<{ ok: true; mediaId?: number }>
  | Readonly<{ ok: false; reason: (typeof commandFailures)[number] }>;

/** Fractions of the picture's width and height, from the top left corner: 0 to 1. */
export type Point = Readonly<{ x: number; y: number }>;

export const drawTools = ["pen", "arrow", "circle", "text", "highlighter"] as const;
export type DrawTool = (typeof drawTools)[number];

export type Shape = Readonly<{
  /** UUID, chosen by the page that draws. */
  id: string;
  tool: DrawTool;
  /** `#rrggbb`. */
  color: string;
  /** A pen's line in up to 200 points; an arrow and a circle have two, a text one. */
  points: readonly Point[];
  /** Of a text, at most 200 characters. */
  text?: string;
  /** Arrows are numbered in the order in which they are drawn. */
  number?: number;
}>;

/** Changes of the drawing board that agent and customer share. */
export type BoardChange =
  /** Freezes a photo for both, with the shapes that it has already. */
  | Readonly<{ op: "open"; mediaId: number; shapes: readonly Shape[] }>
  /** Adds a shape, or replaces the one with the same id (a line that still grows). */
  | Readonly<{ op: "put"; shape: Shape }>
  | Readonly<{ op: "remove"; id: string }>
  | Readonly<{ op: "clear" }>
  | Readonly<{ op: "close" }>
  /** What this page has after a lost connection; the others add it to theirs, and answer with it. */
  | BoardState;

export type BoardState = Readonly<{
  op: "state";
  /** Null: no board is open. */
  mediaId: number | null;
  /** The first ones of a large board; the others follow with `put`. */
  shapes: readonly Shape[];
  /** Shapes that were removed, at most 500. */
  removed: readonly string[];
  /** This page opened the last board: it decides which photo is shown. */
  isOpener: boolean;
  /** Needs no answer. */
  isReply: boolean;
}>;

/** Why somebody cannot join: the `reason` of the refused acknowledgement. */
export const joinRefusals = [
  /** The ticket or conference is closed, cancelled or ended. */
  "over",
  /** The customer has not consented, in this use of the link and to this session. */
  "consent",
  /** Not admitted yet. */
  "waiting",
  /** Refused by a host, or removed. */
  "denied",
  /** Waited for too long. */
  "expired",
  /** New participants are not accepted. */
  "locked",
  /** The call has the most people that it can have. */
  "full",
] as const;

export type JoinRefusal = (typeof joinRefusals)[number];

export type WaitingPerson = Readonly<{
  participant: string;
  name: string;
  /** ISO 8601. */
  since: string;
}>;

export type AdmissionStatus = "waiting" | "admitted" | "denied" | "expired" | "over";

/** What the recording person asks, and what the others answer. */
export type RecordingMessage =
  | Readonly<{ step: "ask" }>
  | Readonly<{ step: "answer"; isAccepted: boolean }>;

export type LeaveReason =
  /** An agent, organizer or moderator ended the call for all. */
  | "ended"
  /** A host removed this person. */
  | "removed"
  /** The same person joined on another page. */
  | "elsewhere"
  /** No heartbeat for 20 s, or the session timed out: join again. */
  | "lost";

export type RoomHello = Readonly<{
  self: RoomPeer;
  peers: readonly RoomPeer[];
  messages: readonly RoomMessage[];
  /** Whether the meeting is locked. */
  isLocked: boolean;
}>;

/** From a page to the server. */
export type RoomToServer = {
  /** `resume`: the id that this page had before its connection was lost, at most 20 s ago. */
  hello(input: MessageWindow & Readonly<{ resume?: string }>, reply: Reply<RoomHello>): void;
  peers(input: object, reply: Reply<{ peers: readonly RoomPeer[] }>): void;
  chat(
    input: Readonly<{ clientId: string; text: string }>,
    reply: Reply<{ message: RoomMessage }>,
  ): void;
  /** Takes part in the session. Any other page of the same person leaves it. */
  join(input: object, reply: Reply<CallJoined>): void;
  leave(input: object, reply: Reply<object>): void;
  /** The only message of a supervisor: receives the media of the call, and takes no part in it. */
  watch(input: object, reply: Reply<CallWatched>): void;
  /** Staff and hosts: ends the session for all. */
  end(input: object, reply: Reply<object>): void;
  /** Media of another peer arrive. */
  established(input: object, reply: Reply<object>): void;
  ice(input: object, reply: Reply<IceSettings>): void;
  /**
   * This page cannot reach the others by this kind of route. The server decides what follows. Out: the
   * route that holds now, with a fresh token.
   */
  "media-failed"(
    input: Readonly<{ kind: MediaRoute["kind"] }>,
    reply: Reply<Readonly<{ route: MediaRoute }>>,
  ): void;
  state(input: Partial<PeerState>, reply: Reply<object>): void;
  signal(input: CallSignal & Readonly<{ to: string }>, reply: Reply<object>): void;
  command(
    input: Readonly<{ to: string; id: string; command: CallCommand }>,
    reply: Reply<object>,
  ): void;
  result(
    input: Readonly<{ to: string; id: string; result: CommandResult }>,
    reply: Reply<object>,
  ): void;
  /** Null hides the pointer. At most 20 per second. */
  pointer(input: Readonly<{ point: Point | null }>, reply: Reply<object>): void;
  board(input: BoardChange, reply: Reply<object>): void;
  /** Tells the others of a file or photo that was uploaded with this room's token. */
  shared(input: Readonly<{ mediaId: number }>, reply: Reply<object>): void;
  record(input: RecordingMessage, reply: Reply<object>): void;
  /** Hosts of a meeting. The agent of a ticket may `remove` an expert. */
  waiting(input: object, reply: Reply<{ people: readonly WaitingPerson[] }>): void;
  admit(input: Readonly<{ participants: readonly string[] | "all" }>, reply: Reply<object>): void;
  deny(input: Readonly<{ participants: readonly string[] }>, reply: Reply<object>): void;
  remove(input: Readonly<{ participant: string }>, reply: Reply<object>): void;
  lock(input: Readonly<{ isLocked: boolean }>, reply: Reply<object>): void;
  /** The only message of a waiting guest: asks to come in. Asking again is harmless. */
  knock(input: object, reply: Reply<{ status: AdmissionStatus }>): void;
};

/** From the server to a page. `from` is always a peer's id, set by the server. */
export type ServerToRoom = {
  chat(message: RoomMessage): void;
  "peer-joined"(peer: RoomPeer): void;
  "peer-changed"(peer: RoomPeer): void;
  "peer-left"(peer: RoomPeer): void;
  signal(input: CallSignal & Readonly<{ from: string }>): void;
  command(input: Readonly<{ from: string; id: string; command: CallCommand }>): void;
  result(input: Readonly<{ from: string; id: string; result: CommandResult }>): void;
  pointer(input: Readonly<{ from: string; point: Point | null }>): void;
  board(input: Readonly<{ from: string; change: BoardChange }>): void;
  shared(input: Readonly<{ from: string; mediaId: number }>): void;
  record(input: RecordingMessage & Readonly<{ from: string }>): void;
  /** To hosts: the list of those who wait, after each change. */
  waiting(input: Readonly<{ people: readonly WaitingPerson[] }>): void;
  lock(input: Readonly<{ isLocked: boolean }>): void;
  /** To a waiting guest. `token`: a room token as a participant; connect again with it. */
  admission(input: Readonly<{ status: AdmissionStatus; token?: string }>): void;
  /** The media route of the running call changed. */
  route(input: Readonly<{ route: MediaRoute }>): void;
  /** This page no longer takes part in the session; it stays connected. */
  left(input: Readonly<{ reason: LeaveReason }>): void;
  /** The token or the room is over; the server then disconnects. */
  over(input: Readonly<{ reason: "token" | "room" | "flood" | "removed" }>): void;
};
