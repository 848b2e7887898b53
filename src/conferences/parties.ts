/** Whom and what a conference names. Each must be there: else a 400 that names every one that is not. */
import { checkAll, invalidParameter } from "../contracts/problems.ts";
import type { Scope } from "../contracts/permissions.ts";
import { printable } from "../http/input.ts";
import type { Queryable } from "../platform/db/pool.ts";
import { findTimeZone } from "./store.ts";
import { defaultName, type Wish } from "./input.ts";
import type { ConferenceDeps, DirectoryService } from "./ports.ts";

type Caller = Pick<Scope, "enterpriseId" | "userId">;

type Named = Readonly<{ organizer?: string | undefined; moderator?: string | undefined }>;

type Users = { organizer?: number; moderator?: number };

type NamedService = Named & Readonly<{ serviceKey?: string | undefined }>;

export type Parties = Readonly<{
  service: DirectoryService;
  organizerId: number;
  moderatorId: number | null;
  name: string;
}>;

export async function findParties(
  deps: ConferenceDeps,
  db: Queryable,
  caller: Caller,
  wish: Wish,
): Promise<Parties> {
  const { service, users } = await requireNamed(deps, db, caller, wish);
  if (service === undefined) {
    throw new Error("A conference was to be made without a service");
  }
  const { organizer = caller.userId, moderator = null } = users;
  const { name } = wish;
  return {
    service,
    organizerId: organizer,
    moderatorId: moderator,
    name: name ?? defaultName(wish.startTime, await findTimeZone(db, caller.enterpriseId)),
  };
}

/** Everything that a create names, and that can be missing. */
export async function requireNamed(
  deps: Pick<ConferenceDeps, "directory">,
  db: Queryable,
  caller: Caller,
  named: NamedService,
): Promise<{ service: DirectoryService | undefined; users: Users }> {
  const found: { service: DirectoryService | undefined; users: Users } = {
    service: undefined,
    users: {},
  };
  await checkAll(
    async () => {
      found.service = await requireService(deps, db, caller, named);
    },
    async () => {
      found.users = await requireUsers(deps, db, caller, named);
    },
  );
  return found;
}

async function requireService(
  { directory }: Pick<ConferenceDeps, "directory">,
  db: Queryable,
  { enterpriseId }: Pick<Scope, "enterpriseId">,
  { serviceKey }: NamedService,
): Promise<DirectoryService> {
  const service = await directory.findServiceForConferences(db, enterpriseId, serviceKey);
  if (service === undefined) {
    const which = serviceKey === undefined ? "" : ` with the key ${printable(serviceKey)}`;
    const text = `The service_key field is invalid: there is no active service for conferences${which}.`;
    throw invalidParameter("service_key", "unknown", text);
  }
  return service;
}

/** Users of the enterprise by login, where they are named. */
export async function requireUsers(
  { directory }: Pick<ConferenceDeps, "directory">,
  db: Queryable,
  { enterpriseId }: Pick<Scope, "enterpriseId">,
  named: Named,
): Promise<Users> {
  const found: Users = {};
  const find = (field: keyof Users) => async (): Promise<void> => {
    const login = named[field];
    if (login === undefined || login === "") {
      return;
    }
    const user = await directory.findUserByLogin(db, enterpriseId, login);
    if (user === undefined) {
      const text = `The ${field} field is invalid: the enterprise has no active user with the login ${printable(login)}.`;
      throw invalidParameter(field, "unknown", text);
    }
    found[field] = user.id;
  };
  await checkAll(find("organizer"), find("moderator"));
  return found;
}
