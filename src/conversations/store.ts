import type { Trx } from "../platform/db/pool.ts";

/** Inserts a conversation. Out: its id. `uid` is the public one: webhooks name it, not the id. */
export const insertConversation = async (
  trx: Trx,
  order: { enterpriseId: number; uid: string; at: Date; roomName?: string },
): Promise<number> => {
  const rows: { id: number }[] = await trx("conversations")
    .insert({
      uid: order.uid,
      enterprise_id: order.enterpriseId,
      created_at: order.at,
      ...(order.roomName === undefined ? {} : { room_name: order.roomName }),
    })
    .returning("id");
  const id = rows[0]?.id;
  if (id === undefined) {
    throw new Error("The conversation was not inserted");
  }
  return id;
};
