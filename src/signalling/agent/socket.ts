/** What a socket of the agent module knows, and how it comes to be. */
import type { Scope } from "../../contracts/permissions.ts";
import type { Namespace, Socket } from "socket.io";
import { problem } from "../../contracts/problems.ts";
import type { PresenceState, ServerToAgent } from "../../contracts/signalling.ts";
import { type Authenticated, reachOf } from "../../http/authorize.ts";
import type { RateVerdict } from "../../http/rate-limit.ts";
import { requireCallLimit, type ClientMessages, disconnectAfterReply } from "../socket-protocol.ts";
import { parseClaim, withFailureLimit, originOf, scopeFor } from "../authentication.ts";
import type { Colleague, DirectoryViewer } from "../colleague-store.ts";
import { readStateOrNull, toRawInput } from "../parse-input.ts";
import { inTransaction } from "../../platform/db/pool.ts";
import type { SignallingDeps } from "../ports.ts";
import { closePresence, lockUser, insertPresence, type Presence } from "../presence-store.ts";
import type { KeyedMutex } from "../../platform/concurrency/async.ts";

export type AgentData = {
  /** It was let in, and is or was connected. */
  isThere: boolean;
  presence: Presence;
  state: PresenceState;
  token: string;
  /** When and whom the user was last seen to see. */
  directory: { readAtMs: number; users: ReadonlyMap<number, Colleague> };
  /** Conversations of open boxes, with their tickets. */
  boxes: Map<number, number>;
  /** Tickets with a call, and whether people are in their rooms as last told. */
  calls: Map<number, boolean>;
};

export type AgentSocket = Socket<ClientMessages, ServerToAgent, object, AgentData>;

export type AgentNamespace = Namespace<ClientMessages, ServerToAgent, object, AgentData>;

/** Pages that one user may have open at the same time. */
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
 * Lets a page in, or throws why not. In: a socket that is not connected yet. `inTurnOf`: of one
 * user's pages that come at once, one waits for the other there, not in the database.
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

/** Before anything is counted: a page of somebody else's must not use up an office's sign-ins. */
async function requireOrigin(
  { isAllowedOrigin, baseUrl }: SignallingDeps,
  socket: AgentSocket,
): Promise<void> {
  const apiKey = String(socket.handshake.auth["apiKey"]);
  const origin = originOf(socket);
  // Browsers always send one. A program without has its token, and no visitor to take it from.
  if (origin === undefined || origin === new URL(baseUrl).origin) {
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

/** Counts a call of the user as one by REST. */
export function countUser({ limits }: SignallingDeps, userId: number): Promise<RateVerdict> {
  return limits.api.take(String(userId));
}

/** As many again may be connections whose loss nobody has noticed yet. */
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

/** Where the connection is lost before its socket is there, nobody else says that the row is over. */
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

/** How far the socket's user reads conversations at this moment. */
export async function readingScope(deps: SignallingDeps, socket: AgentSocket): Promise<Scope> {
  return scopeFor(await requireUser(deps, socket), "conversations.read");
}

/**
 * Who the socket's user is at this moment; ends the socket where the token is over. Throws where
 * they may not be here any more.
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

/** Ends what a token began. The page is told, and does not come back by itself. */
export function endSocket(socket: AgentSocket): void {
  socket.emit("over", { reason: "token" });
  disconnectAfterReply(socket);
}

/** Whom somebody sees. Managers and administrators see everybody. */
export function viewerOf({ caller }: Authenticated): DirectoryViewer {
  const { enterpriseId, userId, groupIds, role } = caller;
  return { enterpriseId, userId, groupIds, seesAll: reachOf(role, "users.read") !== undefined };
}
