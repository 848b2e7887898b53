import { rowsOf, type Trx } from "../platform/db/pool.ts";

/** Inserts a conversation. Out: its id. `uid` is the public one: webhooks name it, not the id. */
export const insertConversation = async (
  trx: Trx,
  { enterpriseId, uid, at }: { enterpriseId: number; uid: string; at: Date },
): Promise<number> => {
  const [row] = await rowsOf<{ id: number }>(
    trx,
    "INSERT INTO conversations (uid, enterprise_id, created_at) VALUES (?, ?, ?) RETURNING id",
    [uid, enterpriseId, at],
  );
  if (row === undefined) {
    throw new Error("The conversation was not inserted");
  }
  return row.id;
};
