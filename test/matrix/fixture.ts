/**
 * Two enterprises with objects of every kind, a third one that the first administers, and calls of
 * the matrix.
 */
import { aTenant, removeWebhooks, type Member } from "../support/tenant.ts";
import type { ApiAnswer, ApiCall, useWholeApi } from "../support/whole-api.ts";
import type { RoomRole } from "../../src/http/route.ts";
import { aTenantRoom, type TenantRoom, type RoomInput } from "../support/tenant-rooms.ts";
import { guestRoutes, type GuestClassified } from "./routes/guests.ts";
import { anyIds, firstTargetOf, pathOf, type Fixture } from "./targets.ts";
import { classified, type Classified } from "./routes.ts";
import type { Ids } from "./routes/kinds.ts";

type Api = ReturnType<typeof useWholeApi>;

async function aFixture({ db, blobDir }: Pick<Api, "db" | "blobDir">): Promise<Fixture> {
  const [own, foreign, managed] = [await aTenant(db), await aTenant(db), await aTenant(db)];
  await db("enterprises").where({ id: managed.id }).update({ managed_by: own.id });
  return { db, blobDir, own, foreign, managed };
}

/**
 * The fixture of the surrounding `describe`. Removes the webhooks after each test, because an
 * enterprise is limited to 20.
 */
export function useFixture(api: Api): { readonly get: Fixture } {
  let fixture: Fixture | undefined;
  before("fill the enterprises", async () => {
    fixture = await aFixture(api);
  });
  const get = (): Fixture => {
    if (fixture === undefined) {
      throw new Error("The fixture exists inside tests and hooks only");
    }
    return fixture;
  };
  afterEach("delete the webhooks", async () => {
    await removeWebhooks(api.db, get().own.id);
    await removeWebhooks(api.db, get().foreign.id);
  });
  return {
    get get() {
      return get();
    },
  };
}

/** The classification of an operation that is served. */
function kindOf(operation: string): Classified {
  const found = classified[operation];
  if (found === undefined) {
    throw new Error(`${operation} is not classified`);
  }
  return found;
}

/** Path and body of a call that the operation accepts. */
export function rightCall(
  fixture: Fixture,
  operation: string,
  { actor, ids }: { actor: Member; ids: Ids },
): { operation: string; call: ApiCall } {
  const { body, sends, query } = kindOf(operation);
  const [method = "", path = ""] = operation.split(" ");
  const sent = sends?.(fixture.own, actor, ids);
  const json = body === undefined ? {} : { json: body(fixture.own, actor, ids) };
  return {
    operation: `${method} /api${pathOf(path, ids)}${query?.(fixture.own, ids) ?? ""}`,
    call: { token: actor.token, ...(sent ?? json) },
  };
}

/** The path parameters of an object that the operation accepts from this user. */
export function usableIds(fixture: Fixture, operation: string, actor: Member): Promise<Ids> {
  const kind = kindOf(operation);
  return firstTargetOf(kind).make(fixture, actor, kind);
}

/** A participant of that role in a separate room with all required objects. */
export async function enterRoom(
  fixture: Fixture,
  kind: GuestClassified,
  role: RoomRole,
  input: RoomInput = {},
): Promise<{ room: TenantRoom; ids: Ids }> {
  const room = await aTenantRoom(fixture.db, fixture.own, role, input);
  const ids = kind.roles.includes(role) ? await kind.ready?.(fixture, room) : undefined;
  return { room, ids: ids ?? {} };
}

/** Like `rightCall`, for participants of rooms. */
export async function rightGuestCall(
  operation: string,
  { token, ids }: { token: string; ids: Ids },
): Promise<{ operation: string; call: ApiCall }> {
  const { sends, body } = guestRoutes[operation] ?? {};
  const [method = "", path = ""] = operation.split(" ");
  const sent = sends === undefined ? (body === undefined ? {} : { json: body }) : await sends();
  return {
    operation: `${method} /api${pathOf(path, { ...anyIds, ...ids })}`,
    call: { ...sent, token },
  };
}

export function isWriting(
  operation: string,
  { isReading }: Readonly<{ isReading?: true }>,
): boolean {
  return !operation.startsWith("GET ") && isReading !== true;
}

/** The text of a response with its headers. */
export function textOf({ text, headers }: ApiAnswer): string {
  return text + JSON.stringify([...headers]);
}
