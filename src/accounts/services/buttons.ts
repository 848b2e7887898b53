import { missingParameter, problem } from "../../contracts/problems.ts";
import {
  inTransaction,
  type Db,
  type Trx,
  rowsOf,
  type Queryable,
} from "../../platform/db/pool.ts";
import { entryBy, type AdminActor, changesBetween, type AccountsAudit } from "../changes.ts";
import type { Button } from "./model.ts";
import type { ButtonInput } from "./schema.ts";
import { findService, lockService } from "./store.ts";

type ServiceRef = { enterpriseId: number; id: number };

/** The entry points of a service. A service always keeps an active one: tickets name it. */
export type Buttons = {
  list(ref: ServiceRef): Promise<Button[]>;
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

type ButtonOwner = { enterpriseId: number; id: number };

export function createButtons({ db, audit }: { db: Db; audit: AccountsAudit }): Buttons {
  return {
    list: async (ref) => {
      if ((await findService(db, ref)) === undefined) {
        throw serviceNotFound(ref.id);
      }
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
        const entry = { action: "create", object: "button", objectId: button.id, changes } as const;
        await audit.write(trx, { ...entryBy(actor), ...entry });
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
        const entry = { action: "update", object: "button", objectId: id, changes } as const;
        await audit.write(trx, { ...entryBy(actor), ...entry });
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
        const entry = { action: "delete", object: "button", objectId: id, changes } as const;
        await audit.write(trx, { ...entryBy(actor), ...entry });
      }),
  };
}

/** The service's buttons, the oldest first: that is the one of tickets without a button. */
async function listButtons(db: Queryable, { enterpriseId, id }: ButtonOwner): Promise<Button[]> {
  const rows = await rowsOf<ButtonRow>(
    db,
    `SELECT ${buttonColumns} FROM buttons
     WHERE enterprise_id = ? AND service_id = ? AND deleted_at IS NULL ORDER BY id`,
    [enterpriseId, id],
  );
  return rows.map(toButton);
}

async function requireLockedService(trx: Trx, ref: ServiceRef): Promise<void> {
  if ((await lockService(trx, ref)) === undefined) {
    throw serviceNotFound(ref.id);
  }
}

function serviceNotFound(id: number) {
  return problem("not_found", `Service ${id} was not found.`);
}

export async function insertButton(
  trx: Trx,
  { enterpriseId, id }: ButtonOwner,
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
  const button = buttons.find((one) => one.id === id);
  if (button === undefined) {
    throw problem("not_found", `Button ${id} was not found.`);
  }
  return button;
}

function requireAnotherActiveButton(buttons: readonly Button[], id: number): void {
  if (!buttons.some((one) => one.isActive && one.id !== id)) {
    throw problem("conflict", "The last active button of a service stays.", {
      details: "Last button",
    });
  }
}

async function updateButton(
  trx: Trx,
  { enterpriseId, id }: ButtonOwner,
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
  { enterpriseId, id }: ButtonOwner,
  buttonId: number,
): Promise<void> {
  await rowsOf(
    trx,
    `UPDATE buttons SET is_active = false, deleted_at = now()
     WHERE enterprise_id = ? AND service_id = ? AND id = ?`,
    [enterpriseId, id, buttonId],
  );
}
