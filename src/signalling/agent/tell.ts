/** What was written, to those of this process whom it is for. */
import type { BoxMessage } from "../../contracts/signalling.ts";
import { toProblem } from "../../http/faults.ts";
import type { ToldMessage } from "../chat-store.ts";
import type { DirectMessage } from "../direct-store.ts";
import type { SignallingDeps } from "../ports.ts";
import { closeBox, presentChat, presentDirect } from "./boxes.ts";
import {
  conversationRoom,
  readingScope,
  socketsIn,
  userRoom,
  type AgentNamespace,
  type AgentSocket,
} from "./socket.ts";

/** To the ticket's agent, whether the box is open or not, and to whoever has it open. */
export async function tellChat(
  deps: SignallingDeps,
  namespace: AgentNamespace,
  message: ToldMessage,
): Promise<void> {
  const { ticketId, agentId, conversationId } = message;
  if (ticketId === null) {
    return;
  }
  const told: BoxMessage = presentChat(message, ticketId);
  const agents = agentId === null ? [] : socketsIn(namespace, userRoom(agentId));
  const concerned = new Set([...agents, ...socketsIn(namespace, conversationRoom(conversationId))]);
  const readers = await allowed(concerned, (socket) => mayStillRead(deps, socket, ticketId));
  readers.forEach((socket) => socket.emit("message", told));
}

/** A ticket may have gone to somebody else since the box was opened: then the box is over. */
export async function mayStillRead(
  deps: SignallingDeps,
  socket: AgentSocket,
  ticketId: number,
): Promise<boolean> {
  const may = await isGranted(async () =>
    deps.chats.get(await readingScope(deps, socket), { ticketId }),
  );
  if (!may) {
    await closeBox(socket, { kind: "ticket", destId: ticketId });
  }
  return may;
}

/** To both of the two, on all their pages. */
export async function tellDirect(
  deps: SignallingDeps,
  namespace: AgentNamespace,
  message: DirectMessage,
): Promise<void> {
  const { recipientId, senderId } = message;
  const both = [recipientId, senderId].flatMap((id) => socketsIn(namespace, userRoom(id)));
  const readers = await allowed(both, (socket) => isGranted(() => readingScope(deps, socket)));
  for (const socket of readers) {
    socket.emit("message", presentDirect(message, socket.data.presence.userId));
  }
}

/** Those who may be told, all of them asked before the first one is told. */
async function allowed(
  sockets: Iterable<AgentSocket>,
  may: (socket: AgentSocket) => Promise<boolean>,
): Promise<AgentSocket[]> {
  const found: AgentSocket[] = [];
  for (const socket of sockets) {
    if (await may(socket)) {
      found.push(socket);
    }
  }
  return found;
}

/** What keeps somebody from reading. All else is a fault of ours: nobody is told then, yet. */
const refusals: ReadonlySet<string> = new Set([
  "bad_token",
  "feature_off",
  "forbidden",
  "not_found",
]);

async function isGranted(check: () => Promise<unknown>): Promise<boolean> {
  try {
    await check();
    return true;
  } catch (thrown) {
    if (refusals.has(toProblem(thrown).kind)) {
      return false;
    }
    throw thrown;
  }
}
