import { missingParameter, problem } from "../../contracts/problems.ts";
import { inTransaction, type Db, type Trx } from "../../platform/db/pool.ts";
import { entryBy, type Actor } from "../actor.ts";
import { changesBetween } from "../changes.ts";
import type { Audit } from "../ports.ts";
import { deleteButton, insertButton, listButtons, updateButton } from "./buttons-store.ts";
import type { Button } from "./model.ts";
import type { ButtonInput } from "./schema.ts";
import { findService, lockService } from "./store.ts";

type Place = { enterpriseId: number; id: number };

/** The entry points of a service. A service always keeps an active one: tickets name it. */
export type Buttons = {
  list(place: Place): Promise<Button[]>;
  create(actor: Actor, serviceId: number, input: ButtonInput): Promise<Button>;
  update(
    actor: Actor,
    serviceId: number,
    change: { id: number; input: ButtonInput },
  ): Promise<Button>;
  remove(actor: Actor, serviceId: number, id: number): Promise<void>;
};

export function createButtons({ db, audit }: { db: Db; audit: Audit }): Buttons {
  return {
    list: async (place) => {
      if ((await findService(db, place)) === undefined) {
        throw serviceNotFound(place.id);
      }
      return listButtons(db, place);
    },
    create: (actor, serviceId, { name, is_active: isActive = true }) =>
      inTransaction(db, async (trx) => {
        const place = { enterpriseId: actor.enterpriseId, id: serviceId };
        await lock(trx, place);
        if (name === undefined) {
          throw missingParameter("name");
        }
        const button = await insertButton(trx, place, { name, isActive });
        const changes = changesBetween({}, auditFields(button));
        const entry = { action: "create", object: "button", objectId: button.id, changes } as const;
        await audit.write(trx, { ...entryBy(actor), ...entry });
        return button;
      }),
    update: (actor, serviceId, { id, input }) =>
      inTransaction(db, async (trx) => {
        const place = { enterpriseId: actor.enterpriseId, id: serviceId };
        await lock(trx, place);
        const buttons = await listButtons(trx, place);
        const before = pick(buttons, id);
        const { name = before.name, is_active: isActive = before.isActive } = input;
        const after = { ...before, name, isActive };
        if (before.isActive && !isActive) {
          keepOneActive(buttons, id);
        }
        await updateButton(trx, place, after);
        const changes = changesBetween(auditFields(before), auditFields(after));
        const entry = { action: "update", object: "button", objectId: id, changes } as const;
        await audit.write(trx, { ...entryBy(actor), ...entry });
        return after;
      }),
    remove: (actor, serviceId, id) =>
      inTransaction(db, async (trx) => {
        const place = { enterpriseId: actor.enterpriseId, id: serviceId };
        await lock(trx, place);
        const buttons = await listButtons(trx, place);
        const { name } = pick(buttons, id);
        keepOneActive(buttons, id);
        await deleteButton(trx, place, id);
        const changes = { name: { from: name } };
        const entry = { action: "delete", object: "button", objectId: id, changes } as const;
        await audit.write(trx, { ...entryBy(actor), ...entry });
      }),
  };
}

async function lock(trx: Trx, place: Place): Promise<void> {
  if ((await lockService(trx, place)) === undefined) {
    throw serviceNotFound(place.id);
  }
}

function serviceNotFound(id: number) {
  return problem("not_found", `Service ${id} was not found.`);
}

function auditFields({ name, isActive }: Button) {
  return { name, is_active: isActive };
}

function pick(buttons: readonly Button[], id: number): Button {
  const button = buttons.find((one) => one.id === id);
  if (button === undefined) {
    throw problem("not_found", `Button ${id} was not found.`);
  }
  return button;
}

function keepOneActive(buttons: readonly Button[], id: number): void {
  if (!buttons.some((one) => one.isActive && one.id !== id)) {
    throw problem("conflict", "The last active button of a service stays.", {
      details: "Last button",
    });
  }
}
