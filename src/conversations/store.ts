import { insertRow, type Trx } from "../platform/db/pool.ts";

/** Inserts a conversation. Out: its id. `uid` is the public one: webhooks name it, not the id. */
export function insertConversation(
  trx: Trx,
  order: { enterpriseId: number; uid: string; at: Date; roomName?: string },
): Promise<number> {
  return insertRow(trx, "conversations", {
    uid: order.uid,
    enterprise_id: order.enterpriseId,
    created_at: order.at,
    ...(order.roomName === undefined ? {} : { room_name: order.roomName }),
  });
}
