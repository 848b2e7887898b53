/** Data, admission and authorization of a socket in the agent namespace. */
import type { Scope } from "../../contracts/permissions.ts";
import type { Namespace, Socket } from "socket.io";
import { problem } from "../../contracts/problems.ts";
import type { PresenceState, ServerToAgent } from "../../contracts/signalling.ts";
import { type Authenticated, reachOf } from "../../http/authorize.ts";
import type { RateVerdict } from "../../http/rate-limit.ts";
import { requireCallLimit, type ClientMessages, disconnectAfterReply } from "../socket-protocol.ts";
import { isOwnPage, parseClaim, withFailureLimit, originOf, scopeFor } from "../authentication.ts";
import type { Colleague, DirectoryViewer } from "../colleague-store.ts";
import { readStateOrNull, toRawInput } from "../parse-input.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { SignallingDeps } from "../ports.ts";
import { closePresence, lockUser, insertPresence, type Presence } from "../presence-store.ts";
import type { KeyedMutex } from "../../platform/concurrency/async.ts";

export type AgentData = {
  /** Set on `connection`; from then on the disconnect handler closes the presence row. */
  isThere: boolean;
  presence: Presence;
  state: PresenceState;
  token: string;
  /** Cached colleagues that the user may see. */
  directory: { readAtMs: number; users: ReadonlyMap<number, Colleague> };
  /** Open boxes: ticket id by conversation id. */
  boxes: Map<number, number>;
  /** Watched calls: `isOngoing` as last emitted, by ticket id. */
  calls: Map<number, boolean>;
};

export type AgentSocket = Socket<ClientMessages, ServerToAgent, object, AgentData>;

export type AgentNamespace = Namespace<ClientMessages, ServerToAgent, object, AgentData>;

/** Open pages per user. */
const maxPages = 20;

export function userRoom(userId: number): string {
  return `user:${userId}`;
}

export function conversationRoom(id: number): string {
  return `conversation:${id}`;
}

export function enterpriseRoom(id: number): string {
  return `enterprise:${id}`;
}

/** The sockets of this process in a room. */
export function socketsIn(namespace: AgentNamespace, room: string): AgentSocket[] {
  return [...(namespace.adapter.rooms.get(room) ?? [])].flatMap((id) => {
    const socket = namespace.sockets.get(id);
    return socket === undefined ? [] : [socket];
  });
}

/**
 * Authenticates a connecting socket and inserts its presence row; throws a problem. `userMutex`
 * queues the connections of one user in this process, so they do not occupy pool connections while
 * they wait for the row lock.
 */
export async function admitAgent(
  deps: SignallingDeps,
  socket: AgentSocket,
  userMutex: KeyedMutex,
): Promise<void> {
  await requireOrigin(deps, socket);
  const who = await signIn(deps, socket);
  await requireCallLimit(() => countUser(deps, who.caller.userId));
  const { enterpriseId, userId } = scopeFor(who, "conversations.write");
  const presence = { id: deps.ids.uuid(), enterpriseId, userId };
  const wanted = readStateOrNull(toRawInput(socket.handshake.auth));
  const state = await userMutex(userId, () => insert(deps, presence, wanted));
  Object.assign(socket.data, {
    isThere: false,
    presence,
    state,
    token: who.caller.token,
    directory: { readAtMs: Number.NEGATIVE_INFINITY, users: new Map() },
    boxes: new Map(),
    calls: new Map(),
  } satisfies AgentData);
  closeUnlessThere(deps, socket);
}

/**
 * Runs before rate limits: a page of a foreign origin must not use up the sign-in limit of its
 * visitors' network.
 */
async function requireOrigin(
  { isAllowedOrigin, baseUrl }: SignallingDeps,
  socket: AgentSocket,
): Promise<void> {
  const apiKey = String(socket.handshake.auth["apiKey"]);
  const origin = originOf(socket);
  // Clients other than browsers need a token of their own, so there is no cross-site risk.
  if (origin === undefined || isOwnPage(socket, baseUrl)) {
    return;
  }
  if (!(await isAllowedOrigin({ apiKey, origin }))) {
    throw problem("forbidden", `The origin ${origin} is not an allowed domain of this enterprise.`);
  }
}

function signIn(deps: SignallingDeps, socket: AgentSocket): Promise<Authenticated> {
  return withFailureLimit(deps, socket, async () => {
    const claim = parseClaim(socket);
    return claim !== undefined && (await deps.isTokenOf(claim))
      ? deps.authenticate(claim.token)
      : undefined;
  });
}

/** Socket messages share the user's REST rate limit. */
export function countUser({ limits }: SignallingDeps, userId: number): Promise<RateVerdict> {
  return limits.api.take(String(userId));
}

/** Twice `maxPages`: half of the rows may belong to dead connections that are not detected yet. */
const maxConnections = 2 * maxPages;

async function insert(
  { db, clock, times }: SignallingDeps,
  presence: Presence,
  wanted: PresenceState | null,
): Promise<PresenceState> {
  const state = await inTransaction(db, async (trx) => {
    await lockUser(trx, presence);
    const context = { now: clock.now(), goneMs: times.goneMs };
    return insertPresence(trx, presence, { state: wanted, most: maxConnections, ...context });
  });
  if (state === undefined) {
    throw problem("quota_reached", `The user already has ${maxPages} pages open. Close one.`);
  }
  return state;
}

/**
 * Closes the presence row if the connection is lost before `connection` fires: no disconnect
 * handler exists yet.
 */
function closeUnlessThere({ db, clock }: SignallingDeps, { conn, data }: AgentSocket): void {
  const close = (): void => {
    if (!data.isThere) {
      void closePresence(db, data.presence, clock.now()).catch(() => undefined);
    }
  };
  if (conn.readyState === "open") {
    conn.once("close", close);
  } else {
    close();
  }
}

/** The current reading scope of the socket's user. */
export async function readingScope(deps: SignallingDeps, socket: AgentSocket): Promise<Scope> {
  return scopeFor(await requireUser(deps, socket), "conversations.read");
}

/**
 * Authenticates again, because role and token may change while the socket is open. Ends the socket
 * if the token expired; throws if the permission was lost.
 */
export async function requireUser(
  { authenticate }: Pick<SignallingDeps, "authenticate">,
  socket: AgentSocket,
): Promise<Authenticated> {
  const who = await authenticate(socket.data.token);
  if (who === undefined) {
    endSocket(socket);
    throw problem("bad_token", "The access token is expired or revoked.");
  }
  scopeFor(who, "conversations.write");
  return who;
}

/** Disconnects after the token ended. After `over` the page does not reconnect automatically. */
export function endSocket(socket: AgentSocket): void {
  socket.emit("over", { reason: "token" });
  disconnectAfterReply(socket);
}

/** Managers and administrators see all colleagues. */
export function viewerOf({ caller }: Authenticated): DirectoryViewer {
  const { enterpriseId, userId, groupIds, role } = caller;
  return { enterpriseId, userId, groupIds, seesAll: reachOf(role, "users.read") !== undefined };
}
