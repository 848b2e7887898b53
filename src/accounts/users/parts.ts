/** What creating and changing a user have in common. */
import { invalidParameter, problem } from "../../contracts/problems.ts";
import type { Trx } from "../../platform/db/pool.ts";
import type { Requester } from "../../platform/fair-queue.ts";
import type { Actor } from "../actor.ts";
import type { Passwords } from "../password.ts";
import type { Resets } from "../reset.ts";
import type { User } from "./model.ts";
import { countUsers, findFullUser, setGroups } from "./store.ts";

export type Owner = { enterpriseId: number; id: number };

export async function mustFind(trx: Trx, { enterpriseId, id }: Owner): Promise<User> {
  const user = await findFullUser(trx, enterpriseId, id);
  if (user === undefined) {
    throw notFound(id);
  }
  return user;
}

export function notFound(id: number) {
  return problem("not_found", `User ${id} was not found.`);
}

export async function keepQuota(trx: Trx, enterpriseId: number, max: number | null): Promise<void> {
  if (max !== null && (await countUsers(trx, enterpriseId)).active >= max) {
    throw problem("quota_reached", `The enterprise has at most ${max} active users.`);
  }
}

/** Puts the user into exactly these groups. */
export async function putInGroups(
  trx: Trx,
  user: Owner,
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

/** What an audit entry compares. */
export function auditFields(user: User): Record<string, unknown> {
  const { id: _id, enterpriseId: _enterprise, created: _c, modified: _m, groups, ...rest } = user;
  return { ...rest, groups: groups.map(({ name }) => name) };
}

export async function mailReset(
  trx: Trx,
  { resets }: { resets: Pick<Resets, "send"> },
  actor: Actor,
  user: User,
): Promise<void> {
  await resets.send(trx, {
    ...toOwner(user),
    login: user.login,
    email: user.email,
    language: user.language ?? "en",
    createdBy: actor.userId,
  });
}

export function toOwner({ enterpriseId, id }: Owner) {
  return { enterpriseId, userId: id };
}

export async function hashOf(
  { passwords }: { passwords: Pick<Passwords, "hash" | "inTurn"> },
  actor: Actor,
  password: string | undefined,
): Promise<string | undefined> {
  return password === undefined
    ? undefined
    : passwords.inTurn(requesterOf(actor), () => passwords.hash(password));
}

/** Who is signed in hashes before strangers, and takes turns with other enterprises. */
export function requesterOf({ enterpriseId }: Pick<Actor, "enterpriseId">): Requester {
  return {
    group: `enterprise ${enterpriseId}`,
    isPreferred: true,
  };
}
