import { invalidParameter, missingParameter, problem } from "../../contracts/problems.ts";
import { rateLimited, type Limits } from "../../http/limits.ts";
import { inTransaction, type Db, type Trx } from "../../platform/db/pool.ts";
import { entryBy, type Actor } from "../actor.ts";
import { changesBetween, masked } from "../changes.ts";
import type { Sort } from "../fields.ts";
import type { Passwords } from "../password.ts";
import type { Audit } from "../ports.ts";
import type { Resets } from "../reset.ts";
import { refuseDuplicates } from "../duplicates.ts";
import { deleteTokensOf, endSignIns, findPasswordHash, setPasswordHash } from "../tokens-store.ts";
import {
  checkPassword,
  checkRoles,
  endedBy,
  isAdministrator,
  personalFields,
  settingsOf,
  type User,
  type UserInput,
  type UserSettings,
} from "./model.ts";
import type { ChangeMeBody } from "./schema.ts";
import { insertPrepared, prepareUser } from "./create.ts";
import {
  auditFields,
  hashOf,
  keepQuota,
  mailReset,
  mustFind,
  notFound,
  putInGroups,
  requesterOf,
  toOwner,
} from "./parts.ts";
import {
  anonymise,
  countUsers,
  findFullUser,
  listUsers,
  lockUser,
  lockUsersOf,
  setGroups,
  updateUser,
  type UserFilter,
} from "./store.ts";

export type UsersDeps = Readonly<{
  db: Db;
  passwords: Passwords;
  audit: Audit;
  resets: Pick<Resets, "send">;
  limits: Pick<Limits, "badLogin">;
}>;

type Page = Sort & { limit: number; offset: number };

/** Use cases of users. Everything is bound to the actor's enterprise: else 404. */
export type Users = {
  list(
    enterpriseId: number,
    filter: UserFilter,
    page: Page,
  ): Promise<{ total: number; users: User[] }>;
  get(actor: Actor, id: number): Promise<User>;
  /** Without a password, a link to choose one is mailed. */
  create(actor: Actor, input: UserInput): Promise<User>;
  update(actor: Actor, id: number, input: UserInput): Promise<User>;
  /** What users change of themselves. A new password needs the present one. */
  updateSelf(actor: Actor, body: ChangeMeBody): Promise<User>;
  remove(actor: Actor, id: number): Promise<void>;
  /** Ends every token of the user. */
  signOut(actor: Actor, id: number): Promise<void>;
  sendReset(actor: Actor, id: number): Promise<void>;
};

export function createUsers(deps: UsersDeps): Users {
  const { db } = deps;
  const changing = <T>(work: (trx: Trx) => Promise<T>): Promise<T> =>
    refuseDuplicates(() => inTransaction(db, work));
  return {
    list: (enterpriseId, filter, page) => listUsers(db, enterpriseId, filter, page),
    get: async ({ enterpriseId }, id) => {
      const user = await findFullUser(db, enterpriseId, id);
      if (user === undefined) {
        throw notFound(id);
      }
      return user;
    },
    create: async (actor, input) => {
      const prepared = await prepareUser(deps, actor, input);
      const { enterpriseId } = actor;
      return changing((trx) => insertPrepared(trx, deps, { actor, enterpriseId }, prepared));
    },
    update: async (actor, id, input) => {
      checkPassword(input.password);
      const hash = await hashOf(deps, actor, input.password);
      return changing((trx) => updateIn(trx, deps, actor, { id, input, hash }));
    },
    updateSelf: async (actor, { current_password: current, ...input }) => {
      checkPassword(input.password);
      if (input.password !== undefined) {
        if (current === undefined) {
          throw missingParameter("current_password");
        }
        await checkCurrent(deps, actor, current);
      }
      const hash = await hashOf(deps, actor, input.password);
      return changing((trx) => updateIn(trx, deps, actor, { id: actor.userId, input, hash }));
    },
    ...createEndings(deps),
  };
}

/** `hash` is that of a new password. */
async function updateIn(
  trx: Trx,
  deps: UsersDeps,
  actor: Actor,
  { id, input, hash }: { id: number; input: UserInput; hash: string | undefined },
): Promise<User> {
  const { user: before, maxUsers } = await lockFor(trx, actor, id);
  const after = { ...before, ...settingsOf(input) };
  checkRoles(actor, before.role, after.role);
  if (id === actor.userId && !after.isActive) {
    throw problem("conflict", "Nobody switches themselves off.");
  }
  await keepAnAdministrator(trx, before, after);
  if (after.isActive && !before.isActive) {
    await keepQuota(trx, before.enterpriseId, maxUsers);
  }
  await updateUser(trx, before, after);
  await putInGroups(trx, before, input.groups);
  if (hash !== undefined) {
    await setPasswordHash(trx, toOwner(before), hash);
  }
  await endAccess(trx, before, hash === undefined ? endedBy(before, after) : "everything");
  const user = await mustFind(trx, before);
  const changes = changesBetween(auditFields(before), auditFields(user), personalFields);
  await deps.audit.write(trx, {
    ...entryBy(actor),
    action: "update",
    object: "user",
    objectId: id,
    changes: hash === undefined ? changes : { ...changes, password: { to: masked } },
  });
  return user;
}

async function endAccess(trx: Trx, user: User, ended: ReturnType<typeof endedBy>): Promise<void> {
  if (ended === "everything") {
    await deleteTokensOf(trx, toOwner(user));
  } else if (ended === "sign-ins") {
    await endSignIns(trx, toOwner(user));
  }
}

/** Failures count as those of signing in do: a stolen token is no way to guess the password. */
async function checkCurrent(deps: UsersDeps, actor: Actor, password: string): Promise<void> {
  const key = `self:${actor.userId}`;
  await deps.passwords.inTurn(requesterOf(actor), async () => {
    const failures = await deps.limits.badLogin.peek(key);
    if (!failures.isAllowed) {
      throw rateLimited(failures, "Too many wrong passwords.");
    }
    const stored = await findPasswordHash(deps.db, actor);
    const { isRight } = await deps.passwords.check(stored, password);
    if (!isRight) {
      await deps.limits.badLogin.take(key);
      throw invalidParameter("current_password", "wrong", "The current password is wrong.");
    }
  });
}

/** What ends a user, their tokens or their password. */
function createEndings(deps: UsersDeps): Pick<Users, "remove" | "signOut" | "sendReset"> {
  return {
    remove: (actor, id) =>
      inTransaction(deps.db, async (trx) => {
        const { user } = await lockFor(trx, actor, id);
        checkRoles(actor, user.role);
        if (id === actor.userId) {
          throw problem(
            "conflict",
            "You cannot delete your own account: another administrator can.",
          );
        }
        await keepAnAdministrator(trx, user);
        await setGroups(trx, user, []);
        await anonymise(trx, user);
        await deleteTokensOf(trx, toOwner(user));
        const entry = { action: "delete", object: "user", objectId: id, changes: {} } as const;
        await deps.audit.write(trx, { ...entryBy(actor), ...entry });
      }),
    signOut: (actor, id) =>
      inTransaction(deps.db, async (trx) => {
        const { user } = await lockFor(trx, actor, id);
        checkRoles(actor, user.role);
        await deleteTokensOf(trx, toOwner(user));
        const entry = { action: "revoke", object: "user", objectId: id, changes: {} } as const;
        await deps.audit.write(trx, { ...entryBy(actor), ...entry });
      }),
    sendReset: (actor, id) =>
      inTransaction(deps.db, async (trx) => {
        const { user } = await lockFor(trx, actor, id);
        checkRoles(actor, user.role);
        if (!user.isActive || user.email === "") {
          const why = user.isActive ? "has no email address" : "is switched off";
          throw problem("conflict", `User ${id} ${why}.`);
        }
        await mailReset(trx, deps, actor, user);
        const entry = { action: "reset", object: "user", objectId: id, changes: {} } as const;
        await deps.audit.write(trx, { ...entryBy(actor), ...entry });
      }),
  };
}

/** A user of the actor's enterprise, locked together with the enterprise. */
async function lockFor(
  trx: Trx,
  actor: Actor,
  id: number,
): Promise<{ user: User; maxUsers: number | null }> {
  const maxUsers = await lockUsersOf(trx, actor.enterpriseId);
  const user = await lockUser(trx, actor.enterpriseId, id);
  if (user === undefined) {
    throw notFound(id);
  }
  return { user, maxUsers };
}

/** Refuses what would leave the enterprise without anybody to administer it. */
async function keepAnAdministrator(trx: Trx, before: User, after?: UserSettings): Promise<void> {
  const remains = after !== undefined && isAdministrator(after);
  if (isAdministrator(before) && !remains) {
    const { administrators } = await countUsers(trx, before.enterpriseId);
    if (administrators <= 1) {
      throw lastAdministrator();
    }
  }
}

function lastAdministrator() {
  return problem("conflict", "The last active administrator of an enterprise stays one.", {
    details: "Last administrator",
  });
}
