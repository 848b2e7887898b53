/** The namespace `/agent`: the agent module on the pages of an enterprise's own systems. */
import type { Server } from "socket.io";
import { answer, letIn, logFault, type Handlers } from "../answering.ts";
import { findOngoing, lastChat, tailChat } from "../chat-store.ts";
import { lastDirect, tailDirect } from "../direct-store.ts";
import { readBox, readId, readState, readText, readUuid, readWindow, readWord } from "../given.ts";
import type { SignallingDeps } from "../ports.ts";
import { beatPresences, closePresence, deletePresence, setPresence } from "../presence-store.ts";
import { createRoster, rosterTimes, type Roster } from "../roster.ts";
import type { Side } from "../side.ts";
import { createTail, type Tail } from "../tail.ts";
import { createTurns } from "../turns.ts";
import { endWithLast, withDeadline } from "../connection.ts";
import { closeBox, invite, openBox, sendInto, watchCall } from "./boxes.ts";
import { directoryOf, readOnline, tellPresence, type Online } from "./directory.ts";
import {
  admitAgent,
  countUser,
  endSocket,
  enterpriseRoom,
  socketsIn,
  userRoom,
  whoIs,
  type AgentNamespace,
  type AgentSocket,
} from "./socket.ts";
import { mayStillRead, tellChat, tellDirect } from "./tell.ts";

export function createAgentSide(deps: SignallingDeps, io: Server): Side {
  const namespace: AgentNamespace = io.of("/agent");
  const { db } = deps;
  const enterprises = () => watched(namespace);
  const common = { enterprises, nowMs: () => performance.now() };
  const chat = createTail({
    ...common,
    read: (ask) => tailChat(db, ask),
    last: () => lastChat(db),
    placeOf: ({ conversationId }) => String(conversationId),
    emit: (message) => tellChat(deps, namespace, message),
  });
  const direct = createTail({
    ...common,
    read: (ask) => tailDirect(db, ask),
    last: () => lastDirect(db),
    placeOf: ({ senderId, recipientId }) =>
      `${Math.min(senderId, recipientId)}:${Math.max(senderId, recipientId)}`,
    emit: (message) => tellDirect(deps, namespace, message),
  });
  const roster = createRoster<Online>({
    ...rosterTimes(deps.times),
    places: enterprises,
    read: (places) => readOnline(deps, places),
    onChange: (place, change) => tellPresence(deps, namespace, place, change),
  });
  const inTurnOf = createTurns();
  letIn(deps, namespace, (socket) => admitAgent(deps, socket, inTurnOf));
  namespace.on("connection", (socket) => {
    welcome(deps, socket, roster);
    void Promise.all([chat.ready(), direct.ready()]).catch(() => undefined);
  });

  return {
    hint: createHints(namespace, { chat, direct, roster, enterprises }),
    beat: createBeat(deps, namespace),
    looks: [roster.look, chat.look, direct.look, createCallWatch(deps, namespace)],
    checkTokens: createTokenCheck(deps, namespace),
  };
}

function watched(namespace: AgentNamespace): number[] {
  return [
    ...new Set([...namespace.sockets.values()].map(({ data }) => data.presence.enterpriseId)),
  ];
}

const writing: ReadonlySet<string> = new Set(["send", "invite", "presence"]);

/** `client namespace disconnect`: the page said so. All else may be a page that is loaded again. */
const onPurpose: ReadonlySet<string> = new Set([
  "client namespace disconnect",
  "server namespace disconnect",
]);

function welcome(deps: SignallingDeps, socket: AgentSocket, roster: Roster<Online>): void {
  const { presence } = socket.data;
  const { enterpriseId, userId } = presence;
  const ids = { namespace: "/agent", enterprise_id: enterpriseId, user_id: userId };
  socket.data.isThere = true;
  void socket.join([userRoom(userId), enterpriseRoom(enterpriseId)]);
  deps.metrics.connected("/agent", 1);
  deps.log.debug(ids, "signalling.connected");
  deps.tell(`presence:${enterpriseId}`);
  endWithLast(socket);
  const handlers = { ...stateHandlers(deps, socket, roster), ...boxHandlers(deps, socket) };
  answer(deps, socket, {
    handlers: withDeadline(socket, deps.times.helloMs, handlers),
    writing,
    count: () => countUser(deps, userId),
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
  roster: Roster<Online>,
): Handlers {
  return {
    hello: async () => {
      await roster.look();
      return { state: socket.data.state, users: await directoryOf(deps, socket, roster) };
    },
    directory: async () => {
      await roster.look();
      return { users: await directoryOf(deps, socket, roster) };
    },
    presence: async (given) => {
      const state = readState(given);
      await whoIs(deps, socket);
      const { enterpriseId, userId } = socket.data.presence;
      await setPresence(deps.db, socket.data.presence, state);
      socket.data.state = state;
      deps.tell(`state:${enterpriseId}:${userId}:${state}`);
      deps.tell(`presence:${enterpriseId}`);
      return { state };
    },
  };
}

function boxHandlers(deps: SignallingDeps, socket: AgentSocket): Handlers {
  return {
    open: (given) => openBox(deps, socket, readBox(given), readWindow(given)),
    close: async (given) => {
      await closeBox(socket, readBox(given));
      return {};
    },
    send: async (given) => ({
      message: await sendInto(deps, socket, readBox(given), {
        clientId: readUuid(given, "clientId"),
        text: readText(given),
      }),
    }),
    invite: (given) =>
      invite(deps, socket, {
        clientId: readUuid(given, "clientId"),
        phone: readWord(given, "phone", 40),
        email: readWord(given, "email", 254),
        reference: readWord(given, "reference", 255),
      }),
    call: (given) => watchCall(deps, socket, readId(given, "destId")),
    "hang-up": async (given) => {
      socket.data.calls.delete(readId(given, "destId"));
      return {};
    },
  };
}

async function onLeave(
  { db, clock, tell }: SignallingDeps,
  { data }: AgentSocket,
  isOnPurpose: boolean,
): Promise<void> {
  const { presence } = data;
  await (isOnPurpose ? deletePresence(db, presence) : closePresence(db, presence, clock.now()));
  tell(`presence:${presence.enterpriseId}`);
}

type Watching = Readonly<{
  chat: Pick<Tail, "hint">;
  direct: Pick<Tail, "hint">;
  roster: Roster<Online>;
  enterprises: () => readonly number[];
}>;

function createHints(
  namespace: AgentNamespace,
  { chat, direct, roster, enterprises }: Watching,
): Side["hint"] {
  return (word, [first = "", second = "", third = ""]) => {
    const enterpriseId = Number(first);
    switch (word) {
      case "chat":
        chat.hint(enterpriseId, Number(second));
        break;
      case "direct":
        direct.hint(enterpriseId, Number(second));
        break;
      case "state":
        tellState(namespace, Number(second), third);
        break;
      case "presence":
        if (enterprises().includes(enterpriseId)) {
          void roster.look().catch(() => undefined);
        }
        break;
      default:
    }
  };
}

/** The user changed their state on another page of theirs. */
function tellState(namespace: AgentNamespace, userId: number, state: string): void {
  for (const socket of socketsIn(namespace, userRoom(userId))) {
    if (state === "online" || state === "offline") {
      socket.data.state = state;
      socket.emit("state", { state });
    }
  }
}

/** Says who is here, and hears what became of their states: a hint of that may be lost. */
function createBeat({ db, clock }: SignallingDeps, namespace: AgentNamespace) {
  return async (): Promise<void> => {
    const sockets = [...namespace.sockets.values()];
    if (sockets.length === 0) {
      return;
    }
    const present = sockets.map(({ data: { presence, state } }) => ({ ...presence, state }));
    const states = await beatPresences(db, present, clock.now());
    for (const [index, socket] of sockets.entries()) {
      const before = present[index]?.state;
      const state = states.get(socket.data.presence.id);
      // Not where it was changed on this very page since.
      if (state !== undefined && state !== before && socket.data.state === before) {
        socket.data.state = state;
        socket.emit("state", { state });
      }
    }
  };
}

function createCallWatch(deps: SignallingDeps, namespace: AgentNamespace) {
  return async (): Promise<void> => {
    const sockets = [...namespace.sockets.values()].filter(({ data }) => data.calls.size > 0);
    if (sockets.length === 0) {
      return;
    }
    const calls = sockets.flatMap(({ data: { presence, calls: own } }) =>
      [...own.keys()].map((ticketId) => ({ enterpriseId: presence.enterpriseId, ticketId })),
    );
    const ongoing = await findOngoing(deps.db, calls);
    for (const socket of sockets) {
      for (const [destId, was] of socket.data.calls) {
        const isOngoing = ongoing.has(destId);
        if (isOngoing !== was) {
          await tellCall(deps, socket, { destId, isOngoing });
        }
      }
    }
  };
}

/** The ticket may have gone to somebody else since the page began to watch it. */
async function tellCall(
  deps: SignallingDeps,
  socket: AgentSocket,
  { destId, isOngoing }: Readonly<{ destId: number; isOngoing: boolean }>,
): Promise<void> {
  const { calls } = socket.data;
  const may = await mayStillRead(deps, socket, destId);
  // The page may have hung up meanwhile, or begun anew.
  if (calls.get(destId) !== !isOngoing) {
    return;
  }
  if (may) {
    calls.set(destId, isOngoing);
  } else {
    calls.delete(destId);
  }
  // It shows the call until it is told of the end, which is now for whom it is no business of.
  socket.emit("call", { destId, isOngoing: may && isOngoing });
}

function createTokenCheck({ findGoodTokens }: SignallingDeps, namespace: AgentNamespace) {
  return async (): Promise<void> => {
    const sockets = [...namespace.sockets.values()];
    if (sockets.length > 0) {
      const good = await findGoodTokens([...new Set(sockets.map(({ data }) => data.token))]);
      sockets.filter(({ data }) => !good.has(data.token)).forEach(endSocket);
    }
  };
}
