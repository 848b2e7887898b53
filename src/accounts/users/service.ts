import type { AuditLog } from "../../contracts/audit.ts";
import { maskedValue } from "../../contracts/request-headers.ts";
import {
  invalidParameter,
  missingParameter,
  problem,
  orNotFound,
} from "../../contracts/problems.ts";
import type { Limits } from "../../http/limits.ts";
import { rateLimited } from "../../http/rate-limit.ts";
import type { Db, Trx } from "../../platform/db/pool.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { recordChange, type AdminActor, changesBetween, rejectDuplicates } from "../changes.ts";
import type { SortedPage } from "../fields.ts";
import {
  findPasswordHash,
  type Passwords,
  revokeAccess,
  revokeAllAccess,
  setPasswordHash,
} from "../credentials.ts";
import type { PasswordResets } from "../password-reset.ts";
import {
  checkPassword,
  checkRoles,
  revocationFor,
  isAdministrator,
  personalFields,
  settingsOf,
  type User,
  type UserInput,
  type UserSettings,
  type ChangeMeBody,
} from "./model.ts";
import {
  insertPrepared,
  prepareUser,
  auditFields,
  hashPassword,
  checkUserQuota,
  mailFirstPassword,
  mailPasswordReset,
  requireUser,
  assignGroups,
  requesterOf,
  toTokenOwner,
} from "./create.ts";
import { type AnonymizeDeps, planAnonymization } from "./anonymize.ts";
import {
  anonymizeUser,
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
  audit: AuditLog<Trx>;
  resets: Pick<PasswordResets, "send">;
  limits: Pick<Limits, "badLogin">;
}> &
  Pick<AnonymizeDeps, "clock" | "tasks">;

/** Use cases of users. All are restricted to the enterprise of the actor (404 otherwise). */
export type Users = {
  list(
    enterpriseId: number,
    filter: UserFilter,
    page: SortedPage,
  ): Promise<{ total: number; users: User[] }>;
  get(actor: AdminActor, id: number): Promise<User>;
  /** Mails an active user without a password a link to set one, as does `update` on activation. */
  create(actor: AdminActor, input: UserInput): Promise<User>;
  update(actor: AdminActor, id: number, input: UserInput): Promise<User>;
  /** Updates the current user. A new password requires the current one. */
  updateSelf(actor: AdminActor, body: ChangeMeBody): Promise<User>;
  remove(actor: AdminActor, id: number): Promise<void>;
  /** Revokes all tokens of the user. */
  signOut(actor: AdminActor, id: number): Promise<void>;
  sendReset(actor: AdminActor, id: number): Promise<void>;
};

export function createUsers(deps: UsersDeps): Users {
  const { db } = deps;
  const changing = <T>(work: (trx: Trx) => Promise<T>): Promise<T> =>
    rejectDuplicates(() => inTransaction(db, work));
  return {
    list: (enterpriseId, filter, page) => listUsers(db, enterpriseId, filter, page),
    get: async ({ enterpriseId }, id) => {
      return orNotFound(await findFullUser(db, enterpriseId, id), "User", id);
    },
    create: async (actor, input) => {
      const prepared = await prepareUser(deps, actor, input);
      const { enterpriseId } = actor;
      return changing((trx) => insertPrepared(trx, deps, { actor, enterpriseId }, prepared));
    },
    update: async (actor, id, input) => {
      checkPassword(input.password);
      const hash = await hashPassword(deps, actor, input.password);
      return changing((trx) => updateInTransaction(trx, deps, actor, { id, input, hash }));
    },
    updateSelf: async (actor, { current_password: current, ...input }) => {
      checkPassword(input.password);
      let checkedHash: string | undefined;
      if (input.password !== undefined) {
        if (current === undefined) {
          throw missingParameter("current_password");
        }
        checkedHash = await checkCurrentPassword(deps, actor, current);
      }
      const hash = await hashPassword(deps, actor, input.password);
      return changing((trx) =>
        updateInTransaction(trx, deps, actor, { id: actor.userId, input, hash, checkedHash }),
      );
    },
    ...createRevocations(deps),
  };
}

/** `hash` belongs to a new password, `checkedHash` to the present one that the user gave. */
type UserUpdate = Readonly<{
  id: number;
  input: UserInput;
  hash: string | undefined;
  checkedHash?: string | undefined;
}>;

async function updateInTransaction(
  trx: Trx,
  deps: UsersDeps,
  actor: AdminActor,
  { id, input, hash, checkedHash }: UserUpdate,
): Promise<User> {
  const { user: before, maxUsers } = await requireLockedUser(trx, actor, id);
  if (checkedHash !== undefined && checkedHash !== (await findPasswordHash(trx, actor))) {
    throw problem("conflict", "The password has been changed in the meantime."); // such as by a reset
  }
  const after = { ...before, ...settingsOf(input) };
  checkRoles(actor, before.role, after.role);
  if (id === actor.userId && !after.isActive) {
    throw problem("conflict", "You cannot deactivate your own account.");
  }
  await requireAnotherAdministrator(trx, before, after);
  if (after.isActive && !before.isActive) {
    await checkUserQuota(trx, before.enterpriseId, maxUsers);
  }
  await updateUser(trx, before, after);
  await assignGroups(trx, before, input.groups);
  if (hash !== undefined) {
    await setPasswordHash(trx, toTokenOwner(before), hash);
  }
  await revokeAccess(trx, toTokenOwner(before), revocationFor(before, after, hash));
  const user = await requireUser(trx, before);
  const changes = changesBetween(auditFields(before), auditFields(user), personalFields);
  await recordChange(trx, deps.audit, actor, {
    action: "update",
    object: "user",
    objectId: id,
    changes: hash === undefined ? changes : { ...changes, password: { to: maskedValue } },
  });
  if (!before.isActive) {
    await mailFirstPassword(trx, deps, actor, user);
  }
  return user;
}

/**
 * Returns the stored hash of the password.
 *
 * Failures count like failed sign-ins, so that a stolen token cannot be used to guess the password.
 */
async function checkCurrentPassword(
  deps: UsersDeps,
  actor: AdminActor,
  password: string,
): Promise<string | undefined> {
  const key = `self:${actor.userId}`;
  return deps.passwords.limitHashing(requesterOf(actor), async () => {
    const failures = await deps.limits.badLogin.peek(key);
    if (!failures.isAllowed) {
      throw rateLimited(failures, "Too many wrong passwords.");
    }
    const stored = await findPasswordHash(deps.db, actor);
    const { isCorrect } = await deps.passwords.check(stored, password);
    if (!isCorrect) {
      await deps.limits.badLogin.take(key);
      throw invalidParameter("current_password", "wrong", "The current password is wrong.");
    }
    return stored;
  });
}

/** Operations that revoke a user, their tokens or their password. */
function createRevocations(deps: UsersDeps): Pick<Users, "remove" | "signOut" | "sendReset"> {
  return {
    remove: (actor, id) =>
      inTransaction(deps.db, async (trx) => {
        const { user } = await requireLockedUser(trx, actor, id);
        checkRoles(actor, user.role);
        if (id === actor.userId) {
          throw problem(
            "conflict",
            "You cannot delete your own account. Ask another administrator.",
          );
        }
        await requireAnotherAdministrator(trx, user);
        await setGroups(trx, user, []);
        await anonymizeUser(trx, user);
        await planAnonymization(deps, trx, user);
        await revokeAllAccess(trx, toTokenOwner(user));
        await recordChange(trx, deps.audit, actor, {
          action: "delete",
          object: "user",
          objectId: id,
          changes: {},
        });
      }),
    signOut: (actor, id) =>
      inTransaction(deps.db, async (trx) => {
        const { user } = await requireLockedUser(trx, actor, id);
        checkRoles(actor, user.role);
        await revokeAllAccess(trx, toTokenOwner(user));
        await recordChange(trx, deps.audit, actor, {
          action: "revoke",
          object: "user",
          objectId: id,
          changes: {},
        });
      }),
    sendReset: (actor, id) =>
      inTransaction(deps.db, async (trx) => {
        const { user } = await requireLockedUser(trx, actor, id);
        checkRoles(actor, user.role);
        if (!user.isActive || user.email === "") {
          const why = user.isActive ? "has no email address" : "is deactivated";
          throw problem("conflict", `User ${id} ${why}.`);
        }
        await mailPasswordReset(trx, deps, actor, user);
        await recordChange(trx, deps.audit, actor, {
          action: "reset",
          object: "user",
          objectId: id,
          changes: {},
        });
      }),
  };
}

/** A user of the actor's enterprise, locked after the enterprise. */
async function requireLockedUser(
  trx: Trx,
  actor: AdminActor,
  id: number,
): Promise<{ user: User; maxUsers: number | null }> {
  const maxUsers = await lockUsersOf(trx, actor.enterpriseId);
  const user = orNotFound(await lockUser(trx, actor.enterpriseId, id), "User", id);
  return { user, maxUsers };
}

/** Rejects a change that would leave the enterprise without an administrator. */
async function requireAnotherAdministrator(
  trx: Trx,
  before: User,
  after?: UserSettings,
): Promise<void> {
  const remains = after !== undefined && isAdministrator(after);
  if (isAdministrator(before) && !remains) {
    const { administrators } = await countUsers(trx, before.enterpriseId);
    if (administrators <= 1) {
      throw lastAdministrator();
    }
  }
}

function lastAdministrator() {
  return problem(
    "conflict",
    "An enterprise needs an active administrator. Make another user an administrator first.",
    {
      details: "Last administrator",
    },
  );
}
