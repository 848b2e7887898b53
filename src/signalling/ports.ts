/** Dependencies on other slices, injected by `compose`. */
import type {
  AdmissionKey,
  AdmissionState,
  ChatInput,
  ChatMessage,
  ChatWindow,
  Heartbeat,
  JoinResult,
  LatestSession,
  RoomRef,
  WaitingParticipant,
} from "../contracts/rooms.ts";
import type { MediaRoute, RoomPeer } from "../contracts/room-messages.ts";
import type { Scope } from "../contracts/permissions.ts";
import type { Authenticated } from "../http/authorize.ts";
import type { Limits } from "../http/limits.ts";
import type { RateLimiter } from "../http/rate-limit.ts";
import type { Guest } from "../http/route.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db, Queryable } from "../platform/db/pool.ts";
import type { Ids } from "../platform/ids.ts";
import type { Logger } from "../platform/logger.ts";
import type { IceOptions } from "./ice.ts";

type TicketKey = Readonly<{ ticketId: number }>;

/** What is written in conversations, with the rules of who may. They throw problems. */
export type ChatService = Readonly<{
  get(
    scope: Scope,
    key: TicketKey,
  ): Promise<Readonly<{ id: number; isOver: boolean; isOngoing: boolean }>>;
  read(scope: Scope, key: TicketKey, window: ChatWindow): Promise<ChatMessage[]>;
  write(scope: Scope, key: TicketKey, message: ChatInput): Promise<ChatMessage>;
  readForGuest(guest: Guest, window: ChatWindow): Promise<ChatMessage[]>;
  writeAsGuest(guest: Guest, message: ChatInput): Promise<ChatMessage>;
  /** The ids of those of the rooms that are not over. */
  findOpen(rooms: readonly RoomRef[]): Promise<ReadonlySet<number>>;
}>;

/** Sessions and admissions, with the rules of who may: `Rooms`. */
export type CallService = Readonly<{
  join(order: Readonly<{ guest: Guest; userAgent: string | null }>): Promise<JoinResult>;
  leave(guest: Guest): Promise<boolean>;
  /** Out: those whose participation is over. */
  heartbeat(heartbeats: readonly Heartbeat[]): Promise<Heartbeat[]>;
  established(guest: Guest): Promise<boolean>;
  end(guest: Guest): Promise<boolean>;
  remove(by: Guest, participant: string): Promise<boolean>;
  answerRecording(guest: Guest, isAccepted: boolean): Promise<boolean>;
  findLatestSession(db: Queryable, room: RoomRef): Promise<LatestSession | undefined>;
  requestAdmission(guest: Guest): Promise<Exclude<AdmissionState, "none"> | "over">;
  listWaiting(by: Guest): Promise<WaitingParticipant[]>;
  listWaitingIn(
    rooms: readonly RoomRef[],
  ): Promise<ReadonlyMap<number, readonly WaitingParticipant[]>>;
  findAdmissions(guests: readonly AdmissionKey[]): Promise<AdmissionState[]>;
  admit(by: Guest, participants: readonly string[] | "all"): Promise<string[]>;
  deny(by: Guest, participants: readonly string[]): Promise<string[]>;
}>;

/** A page that takes part in a session. */
export type RoutedPeer = Readonly<{
  room: RoomRef;
  sessionId: string;
  peer: Pick<RoomPeer, "id" | "name">;
}>;

/** Decides how the media of sessions travel, and keeps the LiveKit server in step. */
export type MediaRouter = Readonly<{
  /** The route for a page that has joined. The session may change its route for it. */
  enter(peer: RoutedPeer): Promise<MediaRoute>;
  /** A page could not reach the others by this kind of route. Out: the route that holds now. */
  onFailure(peer: RoutedPeer, kind: MediaRoute["kind"]): Promise<MediaRoute>;
  /** A route of this kind, with a token for the page. */
  present(kind: MediaRoute["kind"], peer: RoutedPeer): Promise<MediaRoute>;
  /** By session; those that are over are missing. */
  listKinds(sessionIds: readonly string[]): Promise<ReadonlyMap<string, MediaRoute["kind"]>>;
  /** A page takes part no more. Nobody waits for it. */
  leave(sessionId: string, peerId: string): void;
  /** A session ended. Nobody waits for it. */
  end(sessionId: string): void;
  /** Ends what should not be on the LiveKit server. */
  sweep(): Promise<void>;
}>;

/** A new ticket whose customer is invited. The same `clientId` of a user makes the same ticket. */
export type InviteCustomer = (
  order: Readonly<{
    scope: Scope;
    login: string;
    clientId: string;
    phone: string | undefined;
    email: string | undefined;
    reference: string | undefined;
  }>,
) => Promise<number>;

export type Claim = Readonly<{ apiKey: string; userId: number; token: string }>;

export type SignallingMetrics = Readonly<{
  connected(namespace: string, count: 1 | -1): void;
  refused(namespace: string, reason: string): void;
  message(namespace: string, type: string, outcome: string): void;
}>;

/** In milliseconds; shorter in tests. */
export type SignallingTimes = Readonly<{
  /** Interval of heartbeats and of polls. */
  heartbeatMs: number;
  /** A client without a heartbeat for this long is gone. */
  goneMs: number;
  /** Interval of the check of tokens. */
  tokensMs: number;
  /** A socket without `hello` by then is disconnected. */
  helloMs: number;
  /** How long a connection may be open without a signed-in socket. */
  admissionMs: number;
}>;

export type SignallingDeps = Readonly<{
  db: Db;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
  log: Pick<Logger, "info" | "warn" | "debug" | "error">;
  metrics: SignallingMetrics;
  times: SignallingTimes;
  /** Without a slash at the end. */
  baseUrl: string;
  /** Whether a proxy in front says in `X-Forwarded-For` who calls. */
  trustProxy: boolean;
  /** What a user, or somebody in a room, may ask of the platform: by sockets and REST together. */
  limits: Pick<Limits, "api" | "room">;
  /** Failed sign-ins per client address. */
  failures: Pick<RateLimiter, "peek" | "take">;
  isTokenOf(claim: Claim): Promise<boolean>;
  /** Whom a token belongs to, while it is good. */
  authenticate(token: string): Promise<Authenticated | undefined>;
  /** Which of these tokens are good. */
  findValidTokens(tokens: readonly string[]): Promise<ReadonlySet<string>>;
  verifyRoomToken(token: string): Promise<Guest | undefined>;
  issueRoomToken(guest: Guest, expiresAt: Date): Promise<string>;
  /** Whether a page of this origin may use the module of the enterprise with this key. */
  isAllowedOrigin(page: Readonly<{ apiKey: string; origin: string }>): Promise<boolean>;
  chats: ChatService;
  rooms: CallService;
  ice: IceOptions;
  media: MediaRouter;
  /** Whether a meeting accepts no new participants; false for tickets. */
  isRoomLocked(guest: Guest): Promise<boolean>;
  /** A conflict where the meeting is over. */
  setRoomLock(guest: Guest, isLocked: boolean): Promise<void>;
  inviteCustomer: InviteCustomer;
  /** Wakes every process, this one included. Never throws. */
  publish(topic: string): void;
}>;

/** A namespace as driven by the server. */
export type NamespaceDriver = Readonly<{
  /** A process published a topic: `chat:3:12` arrives as `chat`, `[3, 12]`. */
  onWakeup(topic: string, ids: readonly string[]): void;
  /** Stores who is connected here. */
  heartbeat(): Promise<void>;
  /** Each finds changes whose wake-up was lost. */
  polls: readonly (() => Promise<void>)[];
  /** Disconnects sockets whose token ended. */
  checkTokens(): Promise<void>;
}>;
