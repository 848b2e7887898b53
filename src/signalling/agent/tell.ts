/** What was written, to those of this process whom it is for. */
import { toProblem } from "../../http/faults.ts";
import type { BoxMessage } from "../../contracts/signalling.ts";
import { scopeFor } from "../caller.ts";
import type { ToldMessage } from "../chat-store.ts";
import type { DirectMessage } from "../direct-store.ts";
import type { SignallingDeps } from "../ports.ts";
import { closeBox, presentChat, presentDirect } from "./boxes.ts";
import {
  conversationRoom,
  socketsIn,
  userRoom,
  whoIs,
  type AgentNamespace,
  type AgentSocket,
} from "./socket.ts";

/** A ticket may have gone to somebody else since the box was opened: then the box is over. */
const mayStillRead = async (
  deps: SignallingDeps,
  socket: AgentSocket,
  ticketId: number,
): Promise<boolean> => {
  try {
    await deps.chats.get(scopeFor(await whoIs(deps, socket), "conversations.read"), { ticketId });
    return true;
  } catch (thrown) {
    const { kind } = toProblem(thrown);
    if (kind === "forbidden" || kind === "not_found") {
      await closeBox(socket, { kind: "ticket", destId: ticketId });
    }
    return false;
  }
};

/** To the ticket's agent, whether the box is open or not, and to whoever has it open. */
export const tellChat = async (
  deps: SignallingDeps,
  namespace: AgentNamespace,
  message: ToldMessage,
): Promise<void> => {
  const { ticketId, agentId, conversationId } = message;
  if (ticketId === null) {
    return;
  }
  const told: BoxMessage = presentChat(message, ticketId);
  if (agentId !== null) {
    namespace.to(userRoom(agentId)).emit("message", told);
  }
  for (const socket of socketsIn(namespace, conversationRoom(conversationId))) {
    const isAgent = socket.data.presence.userId === agentId;
    if (!isAgent && (await mayStillRead(deps, socket, ticketId))) {
      socket.emit("message", told);
    }
  }
};

/** To both of the two, on all their pages. */
export const tellDirect = async (
  namespace: AgentNamespace,
  message: DirectMessage,
): Promise<void> => {
  for (const userId of [message.recipientId, message.senderId]) {
    namespace.to(userRoom(userId)).emit("message", presentDirect(message, userId));
  }
};
