import { type EntityRef, recordChange, type AdminActor, changesBetween } from "../changes.ts";
import type { AuditLog } from "../../contracts/audit.ts";
import {
  missingParameter,
  invalidParameter,
  problem,
  orNotFound,
} from "../../contracts/problems.ts";
import type { Trx } from "../../platform/db/pool.ts";
import { findPasswordHash, type Passwords } from "../credentials.ts";
import type { PasswordResets } from "../password-reset.ts";
import {
  checkPassword,
  checkRoles,
  newUser,
  personalFields,
  type User,
  type UserInput,
  type UserSettings,
} from "./model.ts";
import { insertFullUser, lockUsersOf, countUsers, findFullUser, setGroups } from "./store.ts";
import type { Requester } from "../../platform/concurrency/queues.ts";

export type UserCreationDeps = Readonly<{
  passwords: Pick<Passwords, "hash" | "limitHashing">;
  audit: AuditLog<Trx>;
  resets: Pick<PasswordResets, "send">;
}>;

export type PreparedUser = Readonly<{ input: UserInput; settings: UserSettings; hash: string }>;

/** Not a hash, so no password matches it. */
const noPassword = "none";

/** Checks the input and hashes the password, which takes too long for a transaction. */
export async function prepareUser(
  deps: UserCreationDeps,
  actor: AdminActor,
  input: UserInput,
): Promise<PreparedUser> {
  checkPassword(input.password);
  const settings = newUser(input);
  checkRoles(actor, settings.role);
  if (input.password === undefined && settings.email === "") {
    throw missingParameter("email", "Without a password the user needs an email address.");
  }
  const hash = (await hashPassword(deps, actor, input.password)) ?? noPassword;
  return { input, settings, hash };
}

export async function hashPassword(
  { passwords }: { passwords: Pick<Passwords, "hash" | "limitHashing"> },
  actor: AdminActor,
  password: string | undefined,
): Promise<string | undefined> {
  return password === undefined
    ? undefined
    : passwords.limitHashing(requesterOf(actor), () => passwords.hash(password));
}

/** Signed-in users hash before anonymous ones, round-robin by enterprise. */
export function requesterOf({ enterpriseId }: Pick<AdminActor, "enterpriseId">): Requester {
  return {
    group: `enterprise ${enterpriseId}`,
    isPreferred: true,
  };
}

/** Adds a user to an enterprise. Mails a link to an active user without a password. */
export async function insertPrepared(
  trx: Trx,
  deps: UserCreationDeps,
  { actor, enterpriseId }: { actor: AdminActor; enterpriseId: number },
  { input, settings, hash }: PreparedUser,
): Promise<User> {
  const maxUsers = await lockUsersOf(trx, enterpriseId);
  if (settings.isActive) {
    await checkUserQuota(trx, enterpriseId, maxUsers);
  }
  const id = await insertFullUser(trx, enterpriseId, settings, hash);
  await assignGroups(trx, { enterpriseId, id }, input.groups);
  const user = await requireUser(trx, { enterpriseId, id });
  await recordChange(trx, deps.audit, actor, {
    enterpriseId,
    action: "create",
    object: "user",
    objectId: id,
    changes: changesBetween({}, auditFields(user), personalFields),
  });
  await mailFirstPassword(trx, deps, actor, user);
  return user;
}

/** Mails an active user without a password a link to set one. It works only while they are active. */
export async function mailFirstPassword(
  trx: Trx,
  deps: Pick<UserCreationDeps, "resets">,
  actor: AdminActor,
  user: User,
): Promise<void> {
  const stored = await findPasswordHash(trx, toTokenOwner(user)); // none of an inactive user
  if (stored === noPassword && user.email !== "") {
    await mailPasswordReset(trx, deps, actor, user);
  }
}

export async function checkUserQuota(
  trx: Trx,
  enterpriseId: number,
  max: number | null,
): Promise<void> {
  if (max !== null && (await countUsers(trx, enterpriseId)).active >= max) {
    throw problem("quota_reached", `The enterprise has at most ${max} active users.`);
  }
}

/** Replaces the user's groups. */
export async function assignGroups(
  trx: Trx,
  user: EntityRef,
  groups: number[] | undefined,
): Promise<void> {
  const [unknown] = groups === undefined ? [] : await setGroups(trx, user, groups);
  if (groups !== undefined && unknown !== undefined) {
    throw invalidParameter(
      `groups[${groups.indexOf(unknown)}]`,
      "unknown",
      `The enterprise has no group ${unknown}.`,
    );
  }
}

export async function requireUser(trx: Trx, { enterpriseId, id }: EntityRef): Promise<User> {
  return orNotFound(await findFullUser(trx, enterpriseId, id), "User", id);
}

/** The fields that an audit entry compares. */
export function auditFields(user: User): Record<string, unknown> {
  const { id: _id, enterpriseId: _enterprise, created: _c, modified: _m, groups, ...rest } = user;
  return { ...rest, groups: groups.map(({ name }) => name) };
}

export async function mailPasswordReset(
  trx: Trx,
  { resets }: { resets: Pick<PasswordResets, "send"> },
  actor: AdminActor,
  user: User,
): Promise<void> {
  await resets.send(trx, {
    ...toTokenOwner(user),
    login: user.login,
    email: user.email,
    language: user.language,
    createdBy: actor.userId,
  });
}

export function toTokenOwner({ enterpriseId, id }: EntityRef) {
  return { enterpriseId, userId: id };
}
