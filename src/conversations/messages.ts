import { problem } from "../contracts/problems.ts";
import type { Guest } from "../http/route.ts";
import { inTransaction, type Db, type Trx } from "../platform/db/pool.ts";
import type { Author, ChatMessage, Conversation } from "./conversation.ts";
import { findConversation, type ConversationKey } from "./list-store.ts";
import { insertChatMessage, listChatMessages, type ChatPage } from "./message-store.ts";
import type { MessagesDeps, Scope } from "./ports.ts";

export type ChatMessages = {
  /** The conversation; 404 where the enterprise has none of that key, 403 where out of reach. */
  get(scope: Scope, key: ConversationKey): Promise<Conversation>;
  list(
    scope: Scope,
    key: ConversationKey,
    page: ChatPage,
  ): Promise<{ total: number; messages: ChatMessage[] }>;
  /** Somebody of the staff writes; a conflict where the conversation is over. */
  write(scope: Scope, key: ConversationKey, text: string): Promise<ChatMessage>;
  /** What was written in the guest's room. */
  listForGuest(guest: Guest, page: ChatPage): Promise<{ total: number; messages: ChatMessage[] }>;
  /** Somebody in the room writes; gone where it is over. */
  writeAsGuest(guest: Guest, text: string): Promise<ChatMessage>;
};

type Writer = Readonly<{ author: Author; userId: number | null; name: string }>;

const isStaff = ({ role }: Guest): boolean =>
  role === "agent" || role === "organizer" || role === "moderator";

const requireReach = async (
  db: Db | Trx,
  scope: Scope,
  key: ConversationKey,
): Promise<Conversation> => {
  const found = await findConversation(db, scope, key);
  const shown = "id" in key ? key.id : key.uid;
  if (found === undefined) {
    throw problem("not_found", `Conversation ${shown} was not found.`);
  }
  if (!found.isInReach) {
    throw problem("forbidden", `Conversation ${shown} belongs to somebody else.`);
  }
  return found.conversation;
};

/** A room token opens one room, whoever holds it. */
const roomOf = async (db: Db | Trx, guest: Guest): Promise<Conversation> => {
  const { enterpriseId, conversationId: id } = guest;
  const everything = { enterpriseId, userId: 0, groupIds: [], reach: "all" } as const;
  const found = await findConversation(db, everything, { id });
  if (found === undefined) {
    throw problem("gone", "The room is over.");
  }
  return found.conversation;
};

export const createChatMessages = (deps: MessagesDeps): ChatMessages => {
  const { db, clock, findLatestSession, noteCustomerInput, findUser } = deps;

  const insert = async (
    trx: Trx,
    { enterpriseId, conversation }: { enterpriseId: number; conversation: Conversation },
    writer: Writer,
    text: string,
  ): Promise<ChatMessage> => {
    const { id: conversationId } = conversation;
    const latest = await findLatestSession(trx, { enterpriseId, conversationId });
    const sessionId = latest?.endedAt === null ? latest.id : null;
    const at = clock.now();
    // The ticket's row is locked before anything is written about it, as everywhere.
    if (writer.author === "guest" && sessionId === null && conversation.ticketId !== null) {
      await noteCustomerInput(trx, { enterpriseId, ticketId: conversation.ticketId }, at, []);
    }
    const message = { conversationId, sessionId, ...writer, text, at };
    return { id: await insertChatMessage(trx, { ...message, enterpriseId }), ...message };
  };

  return {
    get: (scope, key) => requireReach(db, scope, key),

    list: async (scope, key, page) => {
      const { id: conversationId } = await requireReach(db, scope, key);
      return listChatMessages(db, { enterpriseId: scope.enterpriseId, conversationId }, page);
    },

    write: (scope, key, text) =>
      inTransaction(db, async (trx) => {
        const { enterpriseId, userId } = scope;
        const conversation = await requireReach(trx, scope, key);
        if (conversation.isOver) {
          throw problem("conflict", "The conversation is over: nothing more is written in it.");
        }
        const user = await findUser(trx, enterpriseId, userId);
        const name = (user?.displayName ?? "").slice(0, 128);
        return insert(trx, { enterpriseId, conversation }, { author: "agent", userId, name }, text);
      }),

    listForGuest: async (guest, page) => {
      await roomOf(db, guest);
      return listChatMessages(db, guest, page);
    },

    writeAsGuest: (guest, text) =>
      inTransaction(db, async (trx) => {
        const conversation = await roomOf(trx, guest);
        if (conversation.isOver) {
          throw problem("gone", "The room is over.");
        }
        const { enterpriseId, userId } = guest;
        const writer: Writer = {
          author: isStaff(guest) ? "agent" : "guest",
          userId,
          name: guest.name.slice(0, 128),
        };
        return insert(trx, { enterpriseId, conversation }, writer, text);
      }),
  };
};
