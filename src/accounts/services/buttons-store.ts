/** Entry points of a service. Deleted ones are found by none of these; tickets point to them. */
import { rowsOf, type Queryable, type Trx } from "../../platform/db/pool.ts";
import type { Button } from "./model.ts";

type ButtonRow = { id: number; name: string; is_active: boolean; created_at: Date };

const columns = "id, name, is_active, created_at";

type Owner = { enterpriseId: number; id: number };

/** The service's buttons, the oldest first: that is the one of tickets without a button. */
export async function listButtons(db: Queryable, { enterpriseId, id }: Owner): Promise<Button[]> {
  const rows = await rowsOf<ButtonRow>(
    db,
    `SELECT ${columns} FROM buttons
     WHERE enterprise_id = ? AND service_id = ? AND deleted_at IS NULL ORDER BY id`,
    [enterpriseId, id],
  );
  return rows.map(toButton);
}

export async function insertButton(
  trx: Trx,
  { enterpriseId, id }: Owner,
  { name, isActive }: Pick<Button, "name" | "isActive">,
): Promise<Button> {
  const [row] = await rowsOf<ButtonRow>(
    trx,
    `INSERT INTO buttons (enterprise_id, service_id, name, is_active) VALUES (?, ?, ?, ?)
     RETURNING ${columns}`,
    [enterpriseId, id, name, isActive],
  );
  if (row === undefined) {
    throw new Error("The button was not stored");
  }
  return toButton(row);
}

function toButton(row: ButtonRow): Button {
  return {
    id: row.id,
    name: row.name,
    isActive: row.is_active,
    created: row.created_at,
  };
}

export async function updateButton(
  trx: Trx,
  { enterpriseId, id }: Owner,
  button: Pick<Button, "id" | "name" | "isActive">,
): Promise<void> {
  await rowsOf(
    trx,
    `UPDATE buttons SET name = ?, is_active = ?
     WHERE enterprise_id = ? AND service_id = ? AND id = ?`,
    [button.name, button.isActive, enterpriseId, id, button.id],
  );
}

export async function deleteButton(
  trx: Trx,
  { enterpriseId, id }: Owner,
  buttonId: number,
): Promise<void> {
  await rowsOf(
    trx,
    `UPDATE buttons SET is_active = false, deleted_at = now()
     WHERE enterprise_id = ? AND service_id = ? AND id = ?`,
    [enterpriseId, id, buttonId],
  );
}
