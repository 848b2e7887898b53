/** Boxes: chat threads with customers (tickets) and colleagues (direct messages). */
import type { ChatMessage, ChatWindow } from "../../contracts/rooms.ts";
import { problem } from "../../contracts/problems.ts";
import type { BoxMessage, BoxOpened, BoxRef } from "../../contracts/signalling.ts";
import type { Authenticated } from "../../http/authorize.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { toTimestamp } from "../../platform/timestamps.ts";
import { scopeFor } from "../authentication.ts";
import { findTicketLabel } from "../chat-store.ts";
import {
  findColleague,
  type Colleague,
  haveThread,
  insertDirect,
  readDirect,
  type DirectMessage,
  type UserPair,
} from "../colleague-store.ts";
import type { SignallingDeps } from "../ports.ts";
import {
  conversationRoom,
  readingScope,
  viewerOf,
  requireUser,
  type AgentSocket,
} from "./socket.ts";

type BoxText = Readonly<{ clientId: string; text: string }>;

export async function openBox(
  deps: SignallingDeps,
  socket: AgentSocket,
  { kind, destId }: BoxRef,
  window: ChatWindow,
): Promise<BoxOpened> {
  if (kind === "ticket") {
    return openTicket(deps, socket, destId, window);
  }
  const who = await requireUser(deps, socket);
  scopeFor(who, "conversations.read");
  const { colleague, pair } = await requireColleague(deps, who, destId);
  const messages = await readDirect(deps.db, pair, window);
  return {
    kind,
    destId,
    nickname: colleague.nickname,
    agentUrl: null,
    isOver: false,
    messages: messages.map((message) => presentDirect(message, pair.userId)),
  };
}

/** Opens a ticket's box and subscribes the socket to its messages. */
async function openTicket(
  deps: SignallingDeps,
  socket: AgentSocket,
  destId: number,
  window: ChatWindow,
): Promise<BoxOpened> {
  const scope = await readingScope(deps, socket);
  const { id, isOver } = await deps.chats.get(scope, { ticketId: destId });
  requireCapacity(socket.data.boxes, id);
  const face = await requireTicketLabel(deps, scope.enterpriseId, destId);
  // Subscribe before reading, so no message is lost in between.
  await socket.join(conversationRoom(id));
  socket.data.boxes.set(id, destId);
  const messages = await deps.chats.read(scope, { ticketId: destId }, window);
  return {
    kind: "ticket",
    destId,
    ...face,
    isOver,
    messages: messages.map((message) => presentChat(message, destId)),
  };
}

export async function closeBox(socket: AgentSocket, { kind, destId }: BoxRef): Promise<void> {
  for (const [conversationId, ticketId] of socket.data.boxes) {
    if (kind === "ticket" && ticketId === destId) {
      socket.data.boxes.delete(conversationId);
      await socket.leave(conversationRoom(conversationId));
    }
  }
}

/** Idempotent by `clientId`. */
export async function sendInto(
  deps: SignallingDeps,
  socket: AgentSocket,
  { kind, destId }: BoxRef,
  written: BoxText,
): Promise<BoxMessage> {
  const who = await requireUser(deps, socket);
  const scope = scopeFor(who, "conversations.write");
  if (kind === "user") {
    return sendDirect(deps, who, destId, written);
  }
  const { clientId: clientKey, text } = written;
  const message = await deps.chats.write(scope, { ticketId: destId }, { text, clientKey });
  return presentChat(message, destId);
}

async function sendDirect(
  deps: SignallingDeps,
  who: Authenticated,
  destId: number,
  { clientId, text }: BoxText,
): Promise<BoxMessage> {
  const { pair } = await requireColleague(deps, who, destId);
  const at = deps.clock.now();
  const { id, isKnown } = await inTransaction(deps.db, (trx) =>
    insertDirect(trx, pair, { text, clientKey: clientId, at }),
  );
  if (!isKnown) {
    deps.publish(`direct:${pair.enterpriseId}:${id}`);
  }
  const [message] = await readDirect(deps.db, pair, { after: id - 1, before: id + 1, limit: 1 });
  if (message === undefined) {
    throw problem("not_found", "The message was not found.");
  }
  return presentDirect(message, pair.userId);
}

/** A colleague whom the user may see now or has an existing thread with. */
async function requireColleague(
  { db }: SignallingDeps,
  who: Authenticated,
  otherId: number,
): Promise<{ colleague: Colleague; pair: UserPair }> {
  const viewer = viewerOf(who);
  const pair = { enterpriseId: viewer.enterpriseId, userId: viewer.userId, otherId };
  const found = await findColleague(db, viewer, otherId);
  if (found === undefined || !(found.isSeen || (await haveThread(db, pair)))) {
    throw problem("not_found", `User ${otherId} was not found.`);
  }
  return { colleague: found.colleague, pair };
}

/** The message from the viewer's side: `destId` is the other user. */
export function presentDirect(message: DirectMessage, viewerId: number): BoxMessage {
  return {
    id: message.id,
    kind: "user",
    destId: message.senderId === viewerId ? message.recipientId : message.senderId,
    author: "agent",
    userId: message.senderId,
    name: message.name,
    text: message.text,
    created: toTimestamp(message.at),
    clientId: message.clientKey,
  };
}

export function presentChat(message: ChatMessage, ticketId: number): BoxMessage {
  return {
    id: message.id,
    kind: "ticket",
    destId: ticketId,
    author: message.author,
    userId: message.userId,
    name: message.name,
    text: message.text,
    created: toTimestamp(message.at),
    clientId: message.clientKey,
  };
}

/** Limit per page for open boxes, and for watched calls. */
const maxOpen = 100;

/** Bounds the memory of one socket; regular pages hold only a few entries. */
export function requireCapacity(open: ReadonlyMap<number, unknown>, id: number): void {
  if (open.size >= maxOpen && !open.has(id)) {
    throw problem(
      "quota_reached",
      `${maxOpen} conversations or calls are already open. Close one.`,
    );
  }
}

/** Creates a ticket and invites its customer. */
export async function invite(
  deps: SignallingDeps,
  socket: AgentSocket,
  invitation: Readonly<{
    clientId: string;
    phone: string | undefined;
    email: string | undefined;
    reference: string | undefined;
  }>,
): Promise<{ ticketId: number; nickname: string }> {
  const who = await requireUser(deps, socket);
  const scope = scopeFor(who, "tickets.write");
  const order = { ...invitation, scope, login: who.caller.login };
  const ticketId = await deps.inviteCustomer(order);
  const { nickname } = await requireTicketLabel(deps, scope.enterpriseId, ticketId);
  return { ticketId, nickname };
}

/** The name of the ticket's customer, and the address of the agent's page. Throws if it is gone. */
export async function requireTicketLabel(
  deps: SignallingDeps,
  enterpriseId: number,
  ticketId: number,
) {
  const face = await findTicketLabel(deps.db, enterpriseId, ticketId);
  if (face === undefined) {
    throw problem("not_found", `Ticket ${ticketId} was not found.`);
  }
  const { nickname, buttonId } = face;
  const agentUrl = `${deps.baseUrl}/agent/entrypoint/${buttonId}/tickets/${ticketId}`;
  return { nickname, agentUrl };
}
