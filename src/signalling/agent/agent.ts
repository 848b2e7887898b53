/** Namespace `/agent`: the agent module embedded in customer pages. */
import type { Server } from "socket.io";
import {
  serveMessages,
  guardNamespace,
  logFault,
  type SocketHandlers,
  closeWithLastSocket,
  withDeadline,
} from "../socket-protocol.ts";
import { lastChatId, tailChat } from "../chat-store.ts";
import { lastDirectId, tailDirect } from "../colleague-store.ts";
import {
  readBox,
  readId,
  readState,
  readText,
  readUuid,
  readWindow,
  readLine,
} from "../parse-input.ts";
import type { SignallingDeps, NamespaceDriver } from "../ports.ts";
import { closePresence, deletePresence, setPresence } from "../presence-store.ts";
import { createRoster, rosterTimes, type Roster } from "../roster.ts";
import { createTail, type Tail } from "../tail.ts";
import { createKeyedMutex } from "../../platform/concurrency/async.ts";
import { closeBox, invite, openBox, sendInto } from "./boxes.ts";
import { openCallPage, watchCall } from "./calls.ts";
import {
  readDirectory,
  readOnline,
  notifyPresence,
  type OnlineUser,
  notifyChat,
  notifyDirect,
} from "./notify.ts";
import {
  admitAgent,
  countUser,
  enterpriseRoom,
  socketsIn,
  userRoom,
  requireUser,
  type AgentNamespace,
  type AgentSocket,
} from "./socket.ts";
import { createHeartbeat, createCallWatch, createTokenCheck } from "./watch.ts";

export function createAgentNamespace(deps: SignallingDeps, io: Server): NamespaceDriver {
  const namespace: AgentNamespace = io.of("/agent");
  const { db } = deps;
  const enterprises = () => watchedEnterprises(namespace);
  const common = { enterprises, nowMs: () => performance.now() };
  const chat = createTail({
    ...common,
    read: (query) => tailChat(db, query),
    last: () => lastChatId(db),
    orderingKey: ({ conversationId }) => String(conversationId),
    emit: (message) => notifyChat(deps, namespace, message),
  });
  const direct = createTail({
    ...common,
    read: (query) => tailDirect(db, query),
    last: () => lastDirectId(db),
    orderingKey: ({ senderId, recipientId }) =>
      `${Math.min(senderId, recipientId)}:${Math.max(senderId, recipientId)}`,
    emit: (message) => notifyDirect(deps, namespace, message),
  });
  const roster = createRoster<OnlineUser>({
    ...rosterTimes(deps.times),
    watchedKeys: enterprises,
    read: (places) => readOnline(deps, places),
    onChange: (place, change) => notifyPresence(deps, namespace, place, change),
  });
  const userMutex = createKeyedMutex();
  guardNamespace(deps, namespace, (socket) => admitAgent(deps, socket, userMutex));
  namespace.on("connection", (socket) => {
    onConnection(deps, socket, roster);
    void Promise.all([chat.ready(), direct.ready()]).catch(() => undefined);
  });

  return {
    onWakeup: createWakeupHandler(namespace, { chat, direct, roster, enterprises }),
    heartbeat: createHeartbeat(deps, namespace),
    polls: [roster.poll, chat.poll, direct.poll, createCallWatch(deps, namespace)],
    checkTokens: createTokenCheck(deps, namespace),
  };
}

function watchedEnterprises(namespace: AgentNamespace): number[] {
  return [
    ...new Set([...namespace.sockets.values()].map(({ data }) => data.presence.enterpriseId)),
  ];
}

const writing: ReadonlySet<string> = new Set(["send", "invite", "presence", "call-page"]);

/** Explicit disconnects. Any other reason may be a page reload, which keeps the lease. */
const onPurpose: ReadonlySet<string> = new Set([
  "client namespace disconnect",
  "server namespace disconnect",
]);

function onConnection(deps: SignallingDeps, socket: AgentSocket, roster: Roster<OnlineUser>): void {
  const { presence } = socket.data;
  const { enterpriseId, userId } = presence;
  const ids = { namespace: "/agent", enterprise_id: enterpriseId, user_id: userId };
  socket.data.isThere = true;
  void socket.join([userRoom(userId), enterpriseRoom(enterpriseId)]);
  deps.metrics.connected("/agent", 1);
  deps.log.debug(ids, "signalling.connected");
  deps.publish(`presence:${enterpriseId}`);
  closeWithLastSocket(socket);
  const handlers = { ...stateHandlers(deps, socket, roster), ...boxHandlers(deps, socket) };
  serveMessages(deps, socket, {
    handlers: withDeadline(socket, deps.times.helloMs, handlers),
    writing,
    count: () => countUser(deps, userId),
    onFlood: () => socket.conn.close(),
  });
  socket.on("disconnect", (reason: string) => {
    deps.metrics.connected("/agent", -1);
    deps.log.debug({ ...ids, reason }, "signalling.disconnected");
    onLeave(deps, socket, onPurpose.has(reason)).catch((thrown: unknown) =>
      logFault(deps, ids, thrown),
    );
  });
}

function stateHandlers(
  deps: SignallingDeps,
  socket: AgentSocket,
  roster: Roster<OnlineUser>,
): SocketHandlers {
  return {
    hello: async () => {
      await roster.poll();
      return { state: socket.data.state, users: await readDirectory(deps, socket, roster) };
    },
    directory: async () => {
      await roster.poll();
      return { users: await readDirectory(deps, socket, roster) };
    },
    presence: async (value) => {
      const state = readState(value);
      await requireUser(deps, socket);
      const { enterpriseId, userId } = socket.data.presence;
      await setPresence(deps.db, socket.data.presence, state);
      socket.data.state = state;
      deps.publish(`state:${enterpriseId}:${userId}:${state}`);
      deps.publish(`presence:${enterpriseId}`);
      return { state };
    },
  };
}

function boxHandlers(deps: SignallingDeps, socket: AgentSocket): SocketHandlers {
  return {
    open: (value) => openBox(deps, socket, readBox(value), readWindow(value)),
    close: async (raw) => {
      await closeBox(socket, readBox(raw));
      return {};
    },
    send: async (input) => ({
      message: await sendInto(deps, socket, readBox(input), {
        clientId: readUuid(input, "clientId"),
        text: readText(input),
      }),
    }),
    invite: (input) =>
      invite(deps, socket, {
        clientId: readUuid(input, "clientId"),
        phone: readLine(input, "phone", 40),
        email: readLine(input, "email", 254),
        reference: readLine(input, "reference", 255),
      }),
    call: (input) => watchCall(deps, socket, readId(input, "destId")),
    "call-page": (input) => openCallPage(deps, socket, readId(input, "destId")),
    "hang-up": async (input) => {
      socket.data.calls.delete(readId(input, "destId"));
      return {};
    },
  };
}

async function onLeave(
  { db, clock, publish }: SignallingDeps,
  { data }: AgentSocket,
  isOnPurpose: boolean,
): Promise<void> {
  const { presence } = data;
  await (isOnPurpose ? deletePresence(db, presence) : closePresence(db, presence, clock.now()));
  publish(`presence:${presence.enterpriseId}`);
}

type AgentFeeds = Readonly<{
  chat: Pick<Tail, "onWakeup">;
  direct: Pick<Tail, "onWakeup">;
  roster: Roster<OnlineUser>;
  enterprises: () => readonly number[];
}>;

function createWakeupHandler(
  namespace: AgentNamespace,
  { chat, direct, roster, enterprises }: AgentFeeds,
): NamespaceDriver["onWakeup"] {
  return (topic, [first = "", second = "", third = ""]) => {
    const enterpriseId = Number(first);
    switch (topic) {
      case "chat":
        chat.onWakeup(enterpriseId, Number(second));
        break;
      case "direct":
        direct.onWakeup(enterpriseId, Number(second));
        break;
      case "state":
        notifyState(namespace, Number(second), third);
        break;
      case "presence":
        if (enterprises().includes(enterpriseId)) {
          void roster.poll().catch(() => undefined);
        }
        break;
      default:
    }
  };
}

/** Syncs a state change from another page of the same user. */
function notifyState(namespace: AgentNamespace, userId: number, state: string): void {
  for (const socket of socketsIn(namespace, userRoom(userId))) {
    if (state === "online" || state === "offline") {
      socket.data.state = state;
      socket.emit("state", { state });
    }
  }
}
