import type { EntityRef } from "../model.ts";
import type { AuditLog } from "../../contracts/audit.ts";
import { missingParameter, problem, orNotFound } from "../../contracts/problems.ts";
import {
  inTransaction,
  type Db,
  type Trx,
  rowsOf,
  type Queryable,
} from "../../platform/db/pool.ts";
import { recordChange, type AdminActor, changesBetween } from "../changes.ts";
import type { Button } from "./model.ts";
import type { ButtonInput } from "./schema.ts";
import { findService, lockService } from "./store.ts";

/** The entry points of a service. A service always keeps an active one: tickets name it. */
export type Buttons = {
  list(ref: EntityRef): Promise<Button[]>;
  create(actor: AdminActor, serviceId: number, input: ButtonInput): Promise<Button>;
  update(
    actor: AdminActor,
    serviceId: number,
    change: { id: number; input: ButtonInput },
  ): Promise<Button>;
  remove(actor: AdminActor, serviceId: number, id: number): Promise<void>;
};

/** Entry points of a service. Deleted ones are found by none of these; tickets point to them. */
type ButtonRow = { id: number; name: string; is_active: boolean; created_at: Date };

const buttonColumns = "id, name, is_active, created_at";

export function createButtons({ db, audit }: { db: Db; audit: AuditLog<Trx> }): Buttons {
  return {
    list: async (ref) => {
      orNotFound(await findService(db, ref), "Service", ref.id);
      return listButtons(db, ref);
    },
    create: (actor, serviceId, { name, is_active: isActive = true }) =>
      inTransaction(db, async (trx) => {
        const ref = { enterpriseId: actor.enterpriseId, id: serviceId };
        await requireLockedService(trx, ref);
        if (name === undefined) {
          throw missingParameter("name");
        }
        const button = await insertButton(trx, ref, { name, isActive });
        const changes = changesBetween({}, auditFields(button));
        await recordChange(trx, audit, actor, {
          action: "create",
          object: "button",
          objectId: button.id,
          changes,
        });
        return button;
      }),
    update: (actor, serviceId, { id, input }) =>
      inTransaction(db, async (trx) => {
        const ref = { enterpriseId: actor.enterpriseId, id: serviceId };
        await requireLockedService(trx, ref);
        const buttons = await listButtons(trx, ref);
        const before = requireButton(buttons, id);
        const { name = before.name, is_active: isActive = before.isActive } = input;
        const after = { ...before, name, isActive };
        if (before.isActive && !isActive) {
          requireAnotherActiveButton(buttons, id);
        }
        await updateButton(trx, ref, after);
        const changes = changesBetween(auditFields(before), auditFields(after));
        await recordChange(trx, audit, actor, {
          action: "update",
          object: "button",
          objectId: id,
          changes,
        });
        return after;
      }),
    remove: (actor, serviceId, id) =>
      inTransaction(db, async (trx) => {
        const ref = { enterpriseId: actor.enterpriseId, id: serviceId };
        await requireLockedService(trx, ref);
        const buttons = await listButtons(trx, ref);
        const { name } = requireButton(buttons, id);
        requireAnotherActiveButton(buttons, id);
        await deleteButton(trx, ref, id);
        const changes = { name: { from: name } };
        await recordChange(trx, audit, actor, {
          action: "delete",
          object: "button",
          objectId: id,
          changes,
        });
      }),
  };
}

/** The service's buttons, the oldest first: that is the one of tickets without a button. */
async function listButtons(db: Queryable, { enterpriseId, id }: EntityRef): Promise<Button[]> {
  const rows = await rowsOf<ButtonRow>(
    db,
    `SELECT ${buttonColumns} FROM buttons
     WHERE enterprise_id = ? AND service_id = ? AND deleted_at IS NULL ORDER BY id`,
    [enterpriseId, id],
  );
  return rows.map(toButton);
}

async function requireLockedService(trx: Trx, ref: EntityRef): Promise<void> {
  orNotFound(await lockService(trx, ref), "Service", ref.id);
}

export async function insertButton(
  trx: Trx,
  { enterpriseId, id }: EntityRef,
  { name, isActive }: Pick<Button, "name" | "isActive">,
): Promise<Button> {
  const [row] = await rowsOf<ButtonRow>(
    trx,
    `INSERT INTO buttons (enterprise_id, service_id, name, is_active) VALUES (?, ?, ?, ?)
     RETURNING ${buttonColumns}`,
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

function auditFields({ name, isActive }: Button) {
  return { name, is_active: isActive };
}

function requireButton(buttons: readonly Button[], id: number): Button {
  return orNotFound(
    buttons.find((one) => one.id === id),
    "Button",
    id,
  );
}

function requireAnotherActiveButton(buttons: readonly Button[], id: number): void {
  if (!buttons.some((one) => one.isActive && one.id !== id)) {
    throw problem("conflict", "A service needs an active entry point. Enable another one first.", {
      details: "Last button",
    });
  }
}

async function updateButton(
  trx: Trx,
  { enterpriseId, id }: EntityRef,
  button: Pick<Button, "id" | "name" | "isActive">,
): Promise<void> {
  await rowsOf(
    trx,
    `UPDATE buttons SET name = ?, is_active = ?
     WHERE enterprise_id = ? AND service_id = ? AND id = ?`,
    [button.name, button.isActive, enterpriseId, id, button.id],
  );
}

async function deleteButton(
  trx: Trx,
  { enterpriseId, id }: EntityRef,
  buttonId: number,
): Promise<void> {
  await rowsOf(
    trx,
    `UPDATE buttons SET is_active = false, deleted_at = now()
     WHERE enterprise_id = ? AND service_id = ? AND id = ?`,
    [enterpriseId, id, buttonId],
  );
}
