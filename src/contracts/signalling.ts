/**
 * What goes over the sockets: docs/api/signalling.md. Every message of a client is answered by an
 * acknowledgement.
 */
import type { ProblemKind } from "./problems.ts";

export const signallingPath = "/signalling";

/** What a box is about: a ticket's customer, or a colleague. */
export const boxKinds = ["ticket", "user"] as const;
export type BoxKind = (typeof boxKinds)[number];

export const presenceStates = ["online", "offline"] as const;
export type PresenceState = (typeof presenceStates)[number];

/** Why a message was refused. `rate_limited` means: later; all others: not as it is. */
export type AckError = Readonly<{
  ok: false;
  error: Readonly<{ kind: ProblemKind; detail: string }>;
}>;
export type Ack<T> = (Readonly<{ ok: true }> & T) | AckError;

/** A message in a box of the agent module. `destId` is seen from the one who gets it. */
export type BoxMessage = Readonly<{
  id: number;
  kind: BoxKind;
  destId: number;
  author: "agent" | "guest" | "system";
  /** Of the staff. */
  userId: number | null;
  name: string;
  text: string;
  /** ISO 8601. */
  created: string;
  /** As the page that sent it gave it. */
  clientId: string | null;
}>;

/** A message in a room, as its people see it. */
export type RoomMessage = Readonly<
  Pick<BoxMessage, "id" | "author" | "name" | "text" | "created" | "clientId">
>;

export type DirectoryEntry = Readonly<{ id: number; nickname: string; state: PresenceState }>;

export type BoxOpened = Readonly<{
  kind: BoxKind;
  destId: number;
  nickname: string;
  /** The agent's page of the ticket. */
  agentUrl: string | null;
  /** Nothing more can be written. */
  isOver: boolean;
  /** Oldest first. */
  messages: readonly BoxMessage[];
}>;

/** Users who came or went, all to the same state. */
export type PresenceChange = Readonly<{
  /** ISO 8601. */
  time: string;
  state: PresenceState;
  users: readonly Readonly<{ id: number; nickname: string }>[];
}>;

export type BoxRef = Readonly<{ kind: BoxKind; destId: number }>;
/** Messages before or after one that is known; the newest where neither is given. */
export type MessageWindow = Readonly<{ before?: number; after?: number }>;

type Reply<T> = (ack: Ack<T>) => void;

/** What the agent module sends in the namespace `/agent`. */
export type AgentToServer = {
  hello(input: object, reply: Reply<AgentHello>): void;
  directory(input: object, reply: Reply<{ users: readonly DirectoryEntry[] }>): void;
  presence(input: { state: PresenceState }, reply: Reply<{ state: PresenceState }>): void;
  open(input: BoxRef & MessageWindow, reply: Reply<BoxOpened>): void;
  close(input: BoxRef, reply: Reply<object>): void;
  send(
    input: BoxRef & Readonly<{ clientId: string; text: string }>,
    reply: Reply<{ message: BoxMessage }>,
  ): void;
  invite(input: Invitation, reply: Reply<{ ticketId: number; nickname: string }>): void;
  call(
    input: Readonly<{ destId: number }>,
    reply: Reply<{ agentUrl: string; isOngoing: boolean }>,
  ): void;
  "hang-up"(input: Readonly<{ destId: number }>, reply: Reply<object>): void;
};

/** Whom to invite: by phone, by mail, or both. The same `clientId` makes the same ticket. */
export type Invitation = Readonly<{
  clientId: string;
  phone?: string;
  email?: string;
  reference?: string;
}>;

export type AgentHello = Readonly<{ state: PresenceState; users: readonly DirectoryEntry[] }>;

/** What the server sends there. */
export type ServerToAgent = {
  message(message: BoxMessage): void;
  presence(change: PresenceChange): void;
  /** The user's own state, set on another page of theirs. */
  state(input: { state: PresenceState }): void;
  /** People came into the ticket's room, after `call`; or it is empty, or not the user's any more. */
  call(input: Readonly<{ destId: number; isOngoing: boolean }>): void;
  /** The token is over; the server then disconnects. */
  over(input: { reason: "token" }): void;
};

export const peerRoles = ["agent", "requestor", "organizer", "moderator", "participant"] as const;
export type PeerRole = (typeof peerRoles)[number];

export type Peer = Readonly<{ id: string; role: PeerRole; name: string }>;

export type RoomHello = Readonly<{
  self: Peer;
  peers: readonly Peer[];
  messages: readonly RoomMessage[];
}>;

/** What somebody in a room sends in the namespace `/rtc`. */
export type RoomToServer = {
  /** `resume`: the id that this page had before its connection was lost, at most 20 s ago. */
  hello(input: MessageWindow & Readonly<{ resume?: string }>, reply: Reply<RoomHello>): void;
  peers(input: object, reply: Reply<{ peers: readonly Peer[] }>): void;
  chat(
    input: Readonly<{ clientId: string; text: string }>,
    reply: Reply<{ message: RoomMessage }>,
  ): void;
};

/** What the server sends there. */
export type ServerToRoom = {
  chat(message: RoomMessage): void;
  "peer-joined"(peer: Peer): void;
  "peer-left"(peer: Peer): void;
  /** The token or the room is over; the server then disconnects. */
  over(input: { reason: "token" | "room" }): void;
};
