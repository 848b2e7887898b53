/** Every operation with one valid call, whatever kind of token it requires. */
import type { AnyRoute } from "../../src/http/route.ts";
import type { ApiCall } from "../support/whole-api.ts";
import { tokenFor } from "../support/tenant.ts";
import { allOperations, classified } from "./routes.ts";
import { guestRoutes, type GuestClassified } from "./routes/guests.ts";
import type { Ids } from "./routes/kinds.ts";
import { publicRoutes, type PublicClassified } from "./routes/public.ts";
import { pathOf, type Fixture } from "./targets.ts";
import { enterRoom, isWriting, rightCall, rightGuestCall, usableIds } from "./fixture.ts";

export type Subject = Readonly<{ operation: string; call: ApiCall; ids: Ids }>;

/** A caller with every permission, and a separate token. */
async function ofStaff(fixture: Fixture, name: string): Promise<Subject> {
  const member = fixture.own.members.superadmin;
  const actor = { ...member, token: await tokenFor(fixture.db, member) };
  const ids = await usableIds(fixture, name, actor);
  return { ...rightCall(fixture, name, { actor, ids }), ids };
}

async function ofGuest(fixture: Fixture, name: string, kind: GuestClassified): Promise<Subject> {
  const { room, ids } = await enterRoom(fixture, kind, kind.roles[0] ?? "requestor");
  return { ...(await rightGuestCall(name, { token: room.token, ids })), ids };
}

async function ofAnybody(
  fixture: Fixture,
  name: string,
  { make }: PublicClassified,
): Promise<Subject> {
  const [method = "", path = ""] = name.split(" ");
  const { ids = {}, call = {} } = await make(fixture);
  return { operation: `${method} /api${pathOf(path, ids)}`, call, ids };
}

/** The call, with a separate object. */
export function aSubject(fixture: Fixture, name: string): Promise<Subject> {
  const [guest, anybody] = [guestRoutes[name], publicRoutes[name]];
  if (guest !== undefined) {
    return ofGuest(fixture, name, guest);
  }
  return anybody === undefined ? ofStaff(fixture, name) : ofAnybody(fixture, name, anybody);
}

/** Revokes the token with which it is called. */
const spendsToken = "DELETE /token";

export const subjects: readonly string[] = allOperations.filter((name) => name !== spendsToken);

/** Operations that change something. */
export const writingSubjects: readonly string[] = [
  ...Object.entries(classified),
  ...Object.entries(guestRoutes),
  ...Object.entries(publicRoutes),
]
  .filter(([name, kind]) => isWriting(name, kind))
  .map(([name]) => name);

/** The path of the same operation with these query or path values changed. */
export function elsewhere(
  name: string,
  { operation, ids }: Subject,
  changed: Readonly<Record<string, string>>,
): string {
  const [method = "", path = ""] = name.split(" ");
  const query = /\?.*$/u.exec(operation)?.[0] ?? "";
  return `${method} /api${pathOf(path, { ...ids, ...changed })}${query}`;
}

export function routeOf(routes: readonly AnyRoute[], name: string): AnyRoute {
  const found = routes.find(({ method, path }) => `${method} ${path}` === name);
  if (found === undefined) {
    throw new Error(`${name} is not served`);
  }
  return found;
}

/** Operations whose body is not JSON, but a file or a message in another format. */
const asBytes: ReadonlySet<string> = new Set([
  "POST /hl7",
  "POST /sms/status/{provider}",
  "POST /sms/incoming/{provider}",
  "PUT /rtc/recordings/{recordingId}/chunks/{number}",
]);
const asForm: ReadonlySet<string> = new Set(["POST /medias", "POST /guest/medias"]);

function isGet(name: string): boolean {
  return name.startsWith("GET ");
}

export const readingSubjects = subjects.filter(isGet);
export const byteSubjects = subjects.filter((name) => asBytes.has(name));
export const formSubjects = subjects.filter((name) => asForm.has(name));
export const jsonSubjects = subjects.filter(
  (name) => !isGet(name) && !asBytes.has(name) && !asForm.has(name),
);
