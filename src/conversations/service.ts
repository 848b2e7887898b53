import type { Trx } from "../platform/db/pool.ts";
import type { Ids } from "../platform/ids.ts";
import { insertConversation } from "./store.ts";

type Conversation = { id: number; uid: string };

export type Conversations = {
  /** The conversation of a new ticket or conference, in the transaction that creates it. */
  create(
    trx: Trx,
    order: {
      enterpriseId: number;
      at: Date;
      /** Of a conference, whose links name the room too. Else the database picks one. */
      roomName?: string;
    },
  ): Promise<Conversation>;
};

export function createConversations({ ids }: { ids: Pick<Ids, "uuid"> }): Conversations {
  return {
    create: async (trx, order) => {
      const uid = ids.uuid();
      return { id: await insertConversation(trx, { ...order, uid }), uid };
    },
  };
}
