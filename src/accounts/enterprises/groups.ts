import { invalidParameter, missingParameter, problem } from "../../contracts/problems.ts";
import { inTransaction, type Db, type Trx } from "../../platform/db/pool.ts";
import { entryBy, type Actor } from "../actor.ts";
import { changesBetween } from "../changes.ts";
import type { Audit } from "../ports.ts";
import { refuseDuplicates } from "../duplicates.ts";
import { lockUsersOf } from "../users/store.ts";
import {
  deleteGroup,
  insertUserGroup,
  isGroupUsed,
  listGroups,
  lockGroup,
  renameGroup,
  setMembers,
} from "./groups-store.ts";
import type { UserGroup } from "./model.ts";
import type { GroupInput } from "./schema.ts";

/** The caller made sure that the actor may see the enterprise. */
export type UserGroups = {
  list(
    enterpriseId: number,
    page: { limit: number; offset: number },
  ): Promise<{ total: number; groups: UserGroup[] }>;
  create(actor: Actor, enterpriseId: number, input: GroupInput): Promise<UserGroup>;
  /** `members`, where given, are all members from then on. */
  update(
    actor: Actor,
    enterpriseId: number,
    change: { id: number; input: GroupInput },
  ): Promise<UserGroup>;
  /**
   * Refuses a group that tickets belong to or that services are kept to: a service without groups
   * is open to all agents, and that must not come about by the way.
   */
  remove(actor: Actor, enterpriseId: number, id: number): Promise<void>;
};

type Place = { enterpriseId: number; id: number };

export function createUserGroups({ db, audit }: { db: Db; audit: Audit }): UserGroups {
  return {
    list: (enterpriseId, page) => listGroups(db, enterpriseId, page),
    create: (actor, enterpriseId, { name, members }) =>
      refuseDuplicates(() =>
        inTransaction(db, async (trx) => {
          if (name === undefined) {
            throw missingParameter("name");
          }
          await lockUsersOf(trx, enterpriseId);
          const id = await insertUserGroup(trx, enterpriseId, name);
          await putMembers(trx, { enterpriseId, id }, members);
          const group = await lock(trx, { enterpriseId, id });
          await audit.write(trx, {
            ...entryBy(actor, enterpriseId),
            action: "create",
            object: "group",
            objectId: id,
            changes: changesBetween({}, auditFields(group)),
          });
          return group;
        }),
      ),
    update: (actor, enterpriseId, { id, input }) =>
      refuseDuplicates(() =>
        inTransaction(db, async (trx) => {
          const place = { enterpriseId, id };
          const before = await lock(trx, place);
          if (input.name !== undefined) {
            await renameGroup(trx, place, input.name);
          }
          await putMembers(trx, place, input.members);
          const after = await lock(trx, place);
          await audit.write(trx, {
            ...entryBy(actor, enterpriseId),
            action: "update",
            object: "group",
            objectId: id,
            changes: changesBetween(auditFields(before), auditFields(after)),
          });
          return after;
        }),
      ),
    remove: (actor, enterpriseId, id) =>
      inTransaction(db, async (trx) => {
        const place = { enterpriseId, id };
        const group = await lock(trx, place);
        if (await isGroupUsed(trx, place)) {
          throw problem("conflict", `Group ${id} is used by tickets or services.`);
        }
        await deleteGroup(trx, place);
        await audit.write(trx, {
          ...entryBy(actor, enterpriseId),
          action: "delete",
          object: "group",
          objectId: id,
          changes: { name: { from: group.name } },
        });
      }),
  };
}

async function putMembers(trx: Trx, place: Place, members: number[] | undefined): Promise<void> {
  const [unknown] = members === undefined ? [] : await setMembers(trx, place, members);
  if (members !== undefined && unknown !== undefined) {
    throw invalidParameter(
      `members[${members.indexOf(unknown)}]`,
      "unknown",
      `The enterprise has no user ${unknown}.`,
    );
  }
}

async function lock(trx: Trx, { enterpriseId, id }: Place): Promise<UserGroup> {
  // With the enterprise first, as everything that changes who is in which group.
  await lockUsersOf(trx, enterpriseId);
  const group = await lockGroup(trx, enterpriseId, id);
  if (group === undefined) {
    throw problem("not_found", `Group ${id} was not found.`);
  }
  return group;
}

function auditFields({ name, members }: UserGroup) {
  return {
    name,
    members: members.map(({ id }) => id),
  };
}
