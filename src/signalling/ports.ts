/** Dependencies on other features, injected by `compose`. */
import { createHmac } from "node:crypto";
import type { Scope } from "../contracts/permissions.ts";
import type { IceServer, IceSettings, MediaRoute, RoomPeer } from "../contracts/room-messages.ts";
import type {
  ChatInput,
  ChatMessage,
  ChatWindow,
  RoomCalls,
  RoomChat,
  RoomRef,
} from "../contracts/rooms.ts";
import type { SsoGrant } from "../contracts/tickets.ts";
import type { Authenticated } from "../http/authorize.ts";
import type { Limits } from "../http/limits.ts";
import type { RateLimiter } from "../http/rate-limit.ts";
import type { Guest } from "../http/route.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db, Queryable } from "../platform/db/pool.ts";
import type { Ids } from "../platform/ids.ts";
import type { Logger } from "../platform/logger.ts";

type TicketKey = Readonly<{ ticketId: number }>;

/** Conversations, with access checks. Methods throw problems. */
export type ChatService = Readonly<{
  get(
    scope: Scope,
    key: TicketKey,
  ): Promise<Readonly<{ id: number; isOver: boolean; isOngoing: boolean }>>;
  read(scope: Scope, key: TicketKey, window: ChatWindow): Promise<ChatMessage[]>;
  write(scope: Scope, key: TicketKey, message: ChatInput): Promise<ChatMessage>;
}> &
  Readonly<RoomChat<Guest>>;

/** A page in a call. */
export type RoutedPeer = Readonly<{
  room: RoomRef;
  sessionId: string;
  peer: Pick<RoomPeer, "id" | "name" | "role">;
}>;

/** Chooses the media route of sessions and keeps the LiveKit server in sync. */
export type MediaRouter = Readonly<{
  /** The route for a page that joins. This may switch the session's route. */
  enter(peer: RoutedPeer): Promise<MediaRoute>;
  /**
   * The route for a supervisor's page. This may switch the session to LiveKit; a mesh if that is not
   * possible, which a supervisor cannot watch.
   */
  watch(peer: RoutedPeer): Promise<MediaRoute>;
  /** A page reports that media failed on this kind of route. Out: the current route. */
  onFailure(peer: RoutedPeer, kind: MediaRoute["kind"]): Promise<MediaRoute>;
  /** A route of this kind, with a token for the page. */
  present(kind: MediaRoute["kind"], peer: RoutedPeer): Promise<MediaRoute>;
  /** By session id; ended sessions are absent. */
  listKinds(sessionIds: readonly string[]): Promise<ReadonlyMap<string, MediaRoute["kind"]>>;
  /** A page left the call. Fire-and-forget; `sweep` retries failures. */
  leave(sessionId: string, peerId: string): void;
  /** A session ended. Fire-and-forget; `sweep` retries failures. */
  end(sessionId: string): void;
  /** Removes stale rooms and participants from the LiveKit server. */
  sweep(): Promise<void>;
}>;

/** Creates a ticket and invites its customer. Idempotent by user and `clientId`. */
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
  /** Lease: a client without a heartbeat for this long counts as disconnected. */
  goneMs: number;
  /** Interval of token checks. */
  tokensMs: number;
  /** Deadline for `hello`; then the socket is disconnected. */
  helloMs: number;
  /** Deadline for authentication of a connection. */
  admissionMs: number;
}>;

export type SignallingDeps = Readonly<{
  db: Db;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
  log: Pick<Logger, "info" | "warn" | "debug" | "error">;
  metrics: SignallingMetrics;
  times: SignallingTimes;
  /** No trailing slash. */
  baseUrl: string;
  /** Whether to trust `X-Forwarded-For` from a reverse proxy. */
  trustProxy: boolean;
  /** Rate limits per user and per room participant, shared by sockets and REST. */
  limits: Pick<Limits, "api" | "room">;
  /** Limits failed sign-ins per client network. */
  failures: Pick<RateLimiter, "peek" | "take">;
  isTokenOf(claim: Claim): Promise<boolean>;
  /** The owner of a valid token. */
  authenticate(token: string): Promise<Authenticated | undefined>;
  /** The valid tokens among these. */
  findValidTokens(tokens: readonly string[]): Promise<ReadonlySet<string>>;
  verifyRoomToken(token: string): Promise<Guest | undefined>;
  issueRoomToken(guest: Guest, expiresAt: Date): Promise<string>;
  /** A token that signs the user in on the agent's page of one ticket. */
  issueSsoToken(grant: SsoGrant): Promise<string>;
  /** Whether the enterprise with this API key allows this origin. */
  isAllowedOrigin(page: Readonly<{ apiKey: string; origin: string }>): Promise<boolean>;
  chats: ChatService;
  rooms: RoomCalls<Guest, Queryable>;
  ice: IceOptions;
  media: MediaRouter;
  /** Whether a meeting accepts no new participants; false for tickets. */
  isRoomLocked(guest: Guest): Promise<boolean>;
  /** Throws a conflict if the meeting is over. */
  setRoomLock(guest: Guest, isLocked: boolean): Promise<void>;
  inviteCustomer: InviteCustomer;
  /** Wakes every process, this one included. Never throws. */
  publish(topic: string): void;
}>;

/** The server's interface to a namespace. */
export type NamespaceDriver = Readonly<{
  /** Called for each published topic. `chat:3:12` arrives as `chat` and `["3", "12"]`. */
  onWakeup(topic: string, ids: readonly string[]): void;
  /** Renews the leases of this process's connections. */
  heartbeat(): Promise<void>;
  /** Polls for changes whose wake-up was lost. */
  polls: readonly (() => Promise<void>)[];
  /** Disconnects sockets whose token expired or was revoked. */
  checkTokens(): Promise<void>;
}>;

/** ICE settings: STUN, and TURN if a direct connection fails. */
type IceOptions = Readonly<{
  stunUrls: readonly string[];
  turnUrls: readonly string[];
  /** Shared with coturn (`use-auth-secret`). */
  turnSecret: string | undefined;
  policy: IceSettings["policy"];
}>;

const turnSeconds = 3_600;

/**
 * The settings for one participant, with TURN credentials for an hour: coturn's REST API
 * (draft-uberti-behave-turn-rest-00), user `<expiry>:<participant>`, password HMAC-SHA1.
 */
export function iceSettings(options: IceOptions, participant: string, now: Date): IceSettings {
  const { stunUrls, turnUrls, turnSecret, policy } = options;
  const stun: IceServer[] = stunUrls.length === 0 ? [] : [{ urls: stunUrls }];
  if (turnUrls.length === 0 || turnSecret === undefined) {
    return { servers: stun, policy, expiresInSeconds: null };
  }
  const expiry = Math.floor(now.getTime() / 1_000) + turnSeconds;
  const username = `${expiry}:${participant}`;
  const credential = createHmac("sha1", turnSecret).update(username).digest("base64");
  return {
    servers: [...stun, { urls: turnUrls, username, credential }],
    policy,
    expiresInSeconds: turnSeconds,
  };
}
