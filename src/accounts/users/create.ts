import { missingParameter } from "../../contracts/problems.ts";
import type { Trx } from "../../platform/db/pool.ts";
import { entryBy, type Actor } from "../actor.ts";
import { changesBetween } from "../changes.ts";
import type { Passwords } from "../password.ts";
import type { Audit } from "../ports.ts";
import type { Resets } from "../reset.ts";
import {
  checkPassword,
  checkRoles,
  newUser,
  personalFields,
  type User,
  type UserInput,
  type UserSettings,
} from "./model.ts";
import { auditFields, hashOf, keepQuota, mailReset, mustFind, putInGroups } from "./parts.ts";
import { insertFullUser, lockUsersOf } from "./store.ts";

export type UserCreationDeps = Readonly<{
  passwords: Pick<Passwords, "hash" | "inTurn">;
  audit: Audit;
  resets: Pick<Resets, "send">;
}>;

export type PreparedUser = Readonly<{ input: UserInput; settings: UserSettings; hash: string }>;

/** Checks the input and hashes the password, which takes too long for a transaction. */
export async function prepareUser(
  deps: UserCreationDeps,
  actor: Actor,
  input: UserInput,
): Promise<PreparedUser> {
  checkPassword(input.password);
  const settings = newUser(input);
  checkRoles(actor, settings.role);
  if (input.password === undefined && settings.email === "") {
    throw missingParameter("email", "Without a password the user needs an email address.");
  }
  // No password opens this: it has not the form of a hash.
  const hash = (await hashOf(deps, actor, input.password)) ?? "none";
  return { input, settings, hash };
}

/** Adds a user to an enterprise. Without a password, a link to choose one is mailed. */
export async function insertPrepared(
  trx: Trx,
  deps: UserCreationDeps,
  { actor, enterpriseId }: { actor: Actor; enterpriseId: number },
  { input, settings, hash }: PreparedUser,
): Promise<User> {
  const maxUsers = await lockUsersOf(trx, enterpriseId);
  if (settings.isActive) {
    await keepQuota(trx, enterpriseId, maxUsers);
  }
  const id = await insertFullUser(trx, enterpriseId, settings, hash);
  await putInGroups(trx, { enterpriseId, id }, input.groups);
  const user = await mustFind(trx, { enterpriseId, id });
  await deps.audit.write(trx, {
    ...entryBy(actor, enterpriseId),
    action: "create",
    object: "user",
    objectId: id,
    changes: changesBetween({}, auditFields(user), personalFields),
  });
  if (input.password === undefined) {
    await mailReset(trx, deps, actor, user);
  }
  return user;
}
