import {
  type EntityRef,
  recordChange,
  type AdminActor,
  changesBetween,
  actorOf,
} from "../changes.ts";
import type { AuditLog } from "../../contracts/audit.ts";
import { missingParameter, problem, orNotFound } from "../../contracts/problems.ts";
import { type Db, type Trx, rowsOf, type Queryable } from "../../platform/db/pool.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import {
  type Button,
  type ButtonInput,
  presentButton,
  buttonListSchema,
  buttonSchema,
  changeButtonSchema,
  createButtonSchema,
} from "./model.ts";
import { findService, lockService } from "./store.ts";
import { idParams } from "../../http/schema.ts";
import { created, noContent, ok, route, type Route } from "../../http/route.ts";

/** The entry points of a service. One always stays active, because tickets refer to it. */
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

/** Soft-deleted rows are excluded everywhere here; tickets still refer to them. */
type ButtonRow = { id: number; name: string; is_active: boolean; created_at: Date };

const buttonColumns = "id, name, is_active, created_at";

export type ButtonRoutesDeps = Readonly<{ buttons: Buttons; baseUrl: string }>;

type ButtonListParams = { serviceId: number };

const reading = { permission: "services.read", family: "solution", limit: "api" } as const;

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

/** The service's buttons, oldest first. Tickets created without a button get the first one. */
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

type ButtonParams = ButtonListParams & { buttonId: number };

const writing = { ...reading, permission: "services.write" } as const;

const params = idParams("serviceId");

const buttonPath = "/services/{serviceId}/buttons/{buttonId}";

const buttonParams = idParams("serviceId", "buttonId");

export function createButtonRoutes({ buttons, baseUrl }: ButtonRoutesDeps): Route[] {
  return [
    route<ButtonListParams>({
      ...reading,
      method: "GET",
      path: "/services/{serviceId}/buttons",
      operationId: "api.services.buttons.list",
      summary: "List the entry points of a service, oldest first",
      params,
      answer: { status: 200, schema: buttonListSchema },
      handle: async ({ caller, params: { serviceId } }) => {
        const ref = { enterpriseId: caller.enterpriseId, id: serviceId };
        const data = (await buttons.list(ref)).map((button) => presentButton(button, baseUrl));
        return ok({ total: data.length, data });
      },
    }),
    route<ButtonListParams, unknown, ButtonInput>({
      ...writing,
      method: "POST",
      path: "/services/{serviceId}/buttons",
      operationId: "api.services.buttons.create",
      summary: "Add an entry point to a service",
      params,
      body: createButtonSchema,
      answer: { status: 201, schema: buttonSchema },
      handle: async (request) => {
        const { serviceId } = request.params;
        const button = await buttons.create(actorOf(request), serviceId, request.body);
        const location = `/api/services/${serviceId}/buttons/${button.id}`;
        return created(presentButton(button, baseUrl), location);
      },
    }),
    route<ButtonParams, unknown, ButtonInput>({
      ...writing,
      method: "PATCH",
      path: buttonPath,
      operationId: "api.services.buttons.update",
      summary: "Rename, enable or disable an entry point",
      params: buttonParams,
      body: changeButtonSchema,
      answer: { status: 200, schema: buttonSchema },
      handle: async (request) => {
        const { serviceId, buttonId: id } = request.params;
        const change = { id, input: request.body };
        const button = await buttons.update(actorOf(request), serviceId, change);
        return ok(presentButton(button, baseUrl));
      },
    }),
    route<ButtonParams>({
      ...writing,
      method: "DELETE",
      path: buttonPath,
      operationId: "api.services.buttons.delete",
      summary: "Delete an entry point; its tickets are kept",
      params: buttonParams,
      answer: { status: 204 },
      handle: async (request) => {
        const { serviceId, buttonId } = request.params;
        await buttons.remove(actorOf(request), serviceId, buttonId);
        return noContent;
      },
    }),
  ];
}
