/**
 * Messages of the signalling sockets: docs/api/signalling.md. The server acknowledges every client
 * message.
 */
import type { ProblemKind } from "./problems.ts";

export const signallingPath = "/signalling";

/** The peer of a message box: the customer of a ticket, or a colleague. */
export const boxKinds = ["ticket", "user"] as const;
export type BoxKind = (typeof boxKinds)[number];

export const presenceStates = ["online", "offline"] as const;
export type PresenceState = (typeof presenceStates)[number];

/** Why a message was rejected. Only after `rate_limited` may the client send it again. */
export type AckError = Readonly<{
  ok: false;
  /** `reason`: why a call cannot be joined, see `JoinRefusal`. */
  error: Readonly<{ kind: ProblemKind; detail: string; reason?: string }>;
}>;
export type Ack<T> = (Readonly<{ ok: true }> & T) | AckError;

/** A message in a box of the agent module. `destId` is from the recipient's point of view. */
export type BoxMessage = Readonly<{
  id: number;
  kind: BoxKind;
  destId: number;
  author: "agent" | "guest" | "system";
  /** Null for customers. */
  userId: number | null;
  name: string;
  text: string;
  /** ISO 8601. */
  created: string;
  /** Chosen by the page that sent the message. */
  clientId: string | null;
}>;

/** A message in a room, as its participants see it. */
export type RoomMessage = Readonly<
  Pick<BoxMessage, "id" | "author" | "name" | "text" | "created" | "clientId"> & {
    /** Who wrote it, see `RoomPeer`: the same after a reload. Null: written before this was stored. */
    participant: string | null;
  }
>;

export type DirectoryEntry = Readonly<{ id: number; nickname: string; state: PresenceState }>;

export type BoxOpened = Readonly<{
  kind: BoxKind;
  destId: number;
  nickname: string;
  /** The agent's page of the ticket. */
  agentUrl: string | null;
  /** The conversation is closed for new messages. */
  isOver: boolean;
  /** Oldest first. */
  messages: readonly BoxMessage[];
}>;

/** Users whose presence changed to the same state. */
export type PresenceChange = Readonly<{
  /** ISO 8601. */
  time: string;
  state: PresenceState;
  users: readonly Readonly<{ id: number; nickname: string }>[];
}>;

export type BoxRef = Readonly<{ kind: BoxKind; destId: number }>;
/** Messages before or after a given one; the newest if neither is given. */
export type MessageWindow = Readonly<{ before?: number; after?: number }>;

export type Reply<T> = (ack: Ack<T>) => void;

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
  /** `ssoUrl` signs the user in on the ticket's page; null if this page may not frame it. */
  "call-page"(input: Readonly<{ destId: number }>, reply: Reply<{ ssoUrl: string | null }>): void;
  "hang-up"(input: Readonly<{ destId: number }>, reply: Reply<object>): void;
};

/** The person to invite, by phone, by email, or both. Idempotent per `clientId`. */
export type Invitation = Readonly<{
  clientId: string;
  phone?: string;
  email?: string;
  reference?: string;
}>;

export type AgentHello = Readonly<{ state: PresenceState; users: readonly DirectoryEntry[] }>;

/** What the server sends to the agent module. */
export type ServerToAgent = {
  message(message: BoxMessage): void;
  presence(change: PresenceChange): void;
  /** The user's own state, set on another page of theirs. */
  state(input: { state: PresenceState }): void;
  /**
   * People joined the ticket's room after `call`, or the room is empty, or the user no longer has
   * the ticket.
   */
  call(input: Readonly<{ destId: number; isOngoing: boolean }>): void;
  /** The token has expired; the server then disconnects. */
  over(input: { reason: "token" }): void;
};

/** The roles of people who take part in a call. */
export const participantRoles = [
  ...(["agent", "requestor", "expert"] as const),
  ...(["organizer", "moderator", "participant"] as const),
] as const;

/** Those whose consent a recording needs. Those who may record are not asked. */
export const recordedRoles = ["requestor", "expert", "participant"] as const;

export function mustAgreeToRecording(role: PeerRole): boolean {
  return (recordedRoles as readonly PeerRole[]).includes(role);
}

/** Supervisors watch a call and take no part in it. */
export const peerRoles = [...participantRoles, "supervisor"] as const;
export type PeerRole = (typeof peerRoles)[number];

/** Agents in tickets, organizers and moderators in meetings. They record, and end the session. */
export const hostRoles = ["agent", "organizer", "moderator"] as const;

export function isHost(role: PeerRole | "waiting"): boolean {
  return (hostRoles as readonly string[]).includes(role);
}

/** Hosts of a meeting: they admit and lock. */
export function isModerator(role: PeerRole | "waiting"): boolean {
  return role === "organizer" || role === "moderator";
}
