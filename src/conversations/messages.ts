import {
  agentParticipant,
  userParticipant,
  type ChatMessage,
  type ChatWindow,
  type ChatInput,
  type RoomChat,
  type RoomRef,
  type FindLatestSession,
} from "../contracts/rooms.ts";
import { isHost } from "../contracts/signalling.ts";
import type { Scope } from "../contracts/permissions.ts";
import { problem } from "../contracts/problems.ts";
import type { Guest } from "../http/route.ts";
import { truncate } from "../http/values.ts";
import type { Db, Queryable, Trx } from "../platform/db/pool.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import type { FindUser } from "../contracts/directory.ts";
import type { RecordCustomerInput } from "../contracts/tickets.ts";
import type { Clock } from "../platform/clock.ts";
import {
  findConversation,
  findOpenRooms,
  type Conversation,
  type ConversationKey,
} from "./store.ts";
import {
  findChatMessage,
  insertChatMessage,
  listChatMessages,
  readChatWindow,
  type ChatPage,
} from "./message-store.ts";

/** Dependencies on other features are injected by `compose`. */
type MessagesDeps = Readonly<{
  db: Db;
  clock: Clock;
  findLatestSession: FindLatestSession<Queryable>;
  recordCustomerInput: RecordCustomerInput<Trx>;
  /** Called after the commit. Never throws or waits. */
  notifyWritten(written: Readonly<{ enterpriseId: number; messageId: number }>): void;
  findUser: FindUser<Queryable, number>;
}>;

export type ChatMessages = RoomChat<Guest> & {
  /** 404 if the enterprise has no such conversation, 403 if it is out of reach. */
  get(scope: Scope, key: ConversationKey): Promise<Conversation>;
  list(
    scope: Scope,
    key: ConversationKey,
    page: ChatPage,
  ): Promise<{ total: number; messages: ChatMessage[] }>;
  /** Messages before or after a known one, or the newest. */
  read(scope: Scope, key: ConversationKey, window: ChatWindow): Promise<ChatMessage[]>;
  /** Writes a message of a staff member; 409 if the conversation is over. */
  write(scope: Scope, key: ConversationKey, message: ChatInput): Promise<ChatMessage>;
  /** Messages of the guest's room; 410 if it is over. */
  listForGuest(guest: Guest, page: ChatPage): Promise<{ total: number; messages: ChatMessage[] }>;
};

type MessageWriter = Pick<ChatMessage, "author" | "userId" | "participant" | "name">;

type StoredChatMessage = Readonly<{ message: ChatMessage; isKnown: boolean }>;

export function createChatMessages(deps: MessagesDeps): ChatMessages {
  const { db } = deps;
  return {
    ...createWriteMethods(deps),
    get: (scope, key) => requireReach(db, scope, key),

    list: async (scope, key, page) => {
      const { id: conversationId } = await requireReach(db, scope, key);
      return listChatMessages(db, { enterpriseId: scope.enterpriseId, conversationId }, page);
    },

    read: async (scope, key, window) => {
      const { id: conversationId } = await requireReach(db, scope, key);
      return readChatWindow(db, { enterpriseId: scope.enterpriseId, conversationId }, window);
    },

    listForGuest: async (guest, page) =>
      listChatMessages(db, await readableRoom(deps, db, guest), page),

    findOpen: (rooms) => findOpenRooms(db, rooms),

    readForGuest: async (guest, window) =>
      readChatWindow(db, await readableRoom(deps, db, guest), window),
  };
}

type WriteMethods = Pick<ChatMessages, "write" | "writeAsGuest">;

function createWriteMethods(deps: MessagesDeps): WriteMethods {
  const { db, findUser, notifyWritten } = deps;
  const insert = createMessageInsert(deps);

  /**
   * Sockets are notified after the commit. A crash in between is harmless: the next poll finds the
   * message.
   */
  const writeAndNotify = async (
    enterpriseId: number,
    write: (trx: Trx) => Promise<StoredChatMessage>,
  ): Promise<ChatMessage> => {
    const { message, isKnown } = await inTransaction(db, write);
    if (!isKnown) {
      notifyWritten({ enterpriseId, messageId: message.id });
    }
    return message;
  };

  return {
    write: (scope, key, message) =>
      writeAndNotify(scope.enterpriseId, async (trx) => {
        const { enterpriseId, userId } = scope;
        const conversation = await requireReach(trx, scope, key);
        const room = { enterpriseId, conversationId: conversation.id };
        const stored = await findStored(trx, room, message);
        if (stored !== undefined) {
          return stored;
        }
        if (conversation.isOver) {
          throw problem("conflict", "The conversation has ended. No messages can be added.");
        }
        const user = await findUser(trx, enterpriseId, userId);
        const name = truncate(user?.displayName ?? "", 128);
        const participantOf = conversation.ticketId === null ? userParticipant : agentParticipant;
        const participant = participantOf(userId);
        const writer: MessageWriter = { author: "agent", userId, participant, name };
        return insert(trx, { enterpriseId, conversation }, writer, message);
      }),

    writeAsGuest: (guest, message) =>
      writeAndNotify(guest.enterpriseId, async (trx) => {
        const stored = await findStored(trx, guest, message);
        if (stored !== undefined) {
          return stored;
        }
        const conversation = await requireOpenRoom(trx, guest);
        const { enterpriseId, userId, participant } = guest;
        const writer: MessageWriter = {
          author: isHost(guest.role) ? "agent" : "guest",
          userId,
          participant,
          name: truncate(guest.name, 128),
        };
        return insert(trx, { enterpriseId, conversation }, writer, message);
      }),
  };
}

type MessageTarget = Readonly<{ enterpriseId: number; conversation: Conversation }>;

/** Inserts a message idempotently, together with its effects on the ticket. */
function createMessageInsert({ clock, findLatestSession, recordCustomerInput }: MessagesDeps) {
  return async (
    trx: Trx,
    { enterpriseId, conversation }: MessageTarget,
    writer: MessageWriter,
    { text, clientKey }: ChatInput,
  ): Promise<StoredChatMessage> => {
    const { id: conversationId } = conversation;
    const room = { enterpriseId, conversationId };
    const latest = await findLatestSession(trx, room);
    const sessionId = latest?.endedAt === null ? latest.id : null;
    const at = clock.now();
    // Lock order: the ticket's row before anything else.
    if (writer.author === "guest" && sessionId === null && conversation.ticketId !== null) {
      await recordCustomerInput(trx, { enterpriseId, ticketId: conversation.ticketId }, at, []);
    }
    const message = { conversationId, sessionId, ...writer, text, at, clientKey };
    return { message: await insertOrFind(trx, room, message), isKnown: false };
  };
}

async function insertOrFind(
  trx: Trx,
  room: RoomRef,
  message: Omit<ChatMessage, "id">,
): Promise<ChatMessage> {
  const id = await insertChatMessage(trx, { ...message, enterpriseId: room.enterpriseId });
  const sent =
    id === undefined && message.clientKey !== null
      ? await findChatMessage(trx, room, message.clientKey)
      : id && { id, ...message };
  if (sent === undefined || sent === 0) {
    throw new Error("The message was not inserted");
  }
  return sent;
}

async function requireReach(
  db: Db | Trx,
  scope: Scope,
  key: ConversationKey,
): Promise<Conversation> {
  const found = await findConversation(db, scope, key);
  const shown = nameOf(key);
  if (found === undefined) {
    throw problem("not_found", `${shown} was not found.`);
  }
  if (!found.isInReach) {
    throw problem("forbidden", `${shown} belongs to another user.`);
  }
  return found.conversation;
}

function nameOf(key: ConversationKey): string {
  return "ticketId" in key
    ? `Ticket ${key.ticketId}`
    : `Conversation ${"id" in key ? key.id : key.uid}`;
}

/**
 * The message from an earlier attempt, even if the room is over by now: the client that retries has
 * received no answer.
 */
async function findStored(
  trx: Trx,
  room: RoomRef,
  { clientKey }: ChatInput,
): Promise<StoredChatMessage | undefined> {
  const message = clientKey === null ? undefined : await findChatMessage(trx, room, clientKey);
  return message && { message, isKnown: true };
}

/**
 * A room token opens its room for any holder until the room is over. After that, only staff may
 * read.
 */
async function requireOpenRoom(db: Db | Trx, guest: Guest): Promise<Conversation> {
  const { enterpriseId, conversationId: id } = guest;
  const everything = { enterpriseId, userId: 0, groupIds: [], reach: "all" } as const;
  const found = await findConversation(db, everything, { id });
  if (found === undefined || found.conversation.isOver) {
    throw problem("gone", "The room is closed.");
  }
  return found.conversation;
}

/** What a guest may read: everything in the room; an expert the running session only. */
async function readableRoom({ findLatestSession }: MessagesDeps, db: Db, guest: Guest) {
  await requireOpenRoom(db, guest);
  const { enterpriseId, conversationId } = guest;
  const room = { enterpriseId, conversationId };
  if (guest.role !== "expert") {
    return room;
  }
  const session = await findLatestSession(db, room);
  if (session?.endedAt !== null) {
    throw problem("gone", "The call is over.");
  }
  return { ...room, sessionId: session.id };
}
