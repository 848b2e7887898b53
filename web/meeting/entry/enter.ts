/** Gets a room token: as a guest of the link, or with the account that is signed in. */
import type { KeptEntry } from "./kept-entry.ts";
import type { MeetingAddress } from "./address.ts";

export type EntryFault =
  | "password"
  | "wrong-password"
  | "too-many-passwords"
  /** The platform cannot check any password. */
  | "password-lost"
  | "link"
  | "locked"
  | "over"
  | "cancelled"
  /** An expert: nobody else is in the call. */
  | "idle"
  | "unknown"
  | "failed";

export type EntryResult = Readonly<{ entry: KeptEntry } | { fault: EntryFault }>;

export type GuestInput = Readonly<{ name: string; password: string }>;

export async function enterAsGuest(
  { serviceKey, roomName, accessToken }: MeetingAddress,
  { name, password }: GuestInput,
): Promise<EntryResult> {
  const response = await post("/api/guest/conferences/token", {
    service_key: serviceKey,
    room_name: roomName,
    ...(name === "" ? {} : { name }),
    ...(password === "" ? {} : { password }),
    ...(accessToken === undefined ? {} : { access_token: accessToken }),
  });
  if (response?.ok === true) {
    return { entry: await readEntry(response) };
  }
  return { fault: await faultOf(response, { hasToken: accessToken !== undefined, password }) };
}

/** As an expert, whose link belongs to one person. */
export async function enterAsExpert(
  { roomName: secret }: MeetingAddress,
  name: string,
): Promise<EntryResult> {
  const path = `/api/guest/experts/${encodeURIComponent(secret)}/token`;
  const response = await post(path, name === "" ? {} : { name });
  if (response?.ok === true) {
    return { entry: await readEntry(response) };
  }
  return { fault: expertFaults[response?.status ?? 0] ?? "failed" };
}

const expertFaults: Readonly<Record<number, EntryFault>> = {
  404: "link",
  409: "idle",
  410: "link",
};

export async function enterWithAccount(conferenceId: number): Promise<EntryResult> {
  const session = await fetch("/api/browser-session").catch(() => undefined);
  const csrf =
    session?.ok === true ? ((await session.json()) as { csrf_token: string }) : undefined;
  const response =
    csrf === undefined
      ? undefined
      : await post(`/api/conferences/${conferenceId}/room-token`, undefined, {
          "X-CSRF-TOKEN": csrf.csrf_token,
        });
  return response?.ok === true
    ? { entry: await readEntry(response) }
    : { fault: await faultOf(response, { hasToken: false, password: "" }) };
}

function post(
  path: string,
  body: object | undefined,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response | undefined> {
  const type = { "Content-Type": "application/json" };
  return fetch(path, {
    method: "POST",
    headers: { ...headers, ...(body === undefined ? {} : type) },
    body: body === undefined ? null : JSON.stringify(body),
  }).catch(() => undefined);
}

async function readEntry(response: Response): Promise<KeptEntry> {
  const { room_token: token, role, name } = (await response.json()) as Record<string, string>;
  return { token: token ?? "", role: role ?? "", name: name ?? "" };
}

async function faultOf(
  response: Response | undefined,
  { hasToken, password }: Readonly<{ hasToken: boolean; password: string }>,
): Promise<EntryFault> {
  switch (response?.status) {
    case 403:
      return (await detailsOf(response)) === "Reason undecryptable"
        ? "password-lost"
        : passwordFault(hasToken, password);
    case 404:
      return "unknown";
    case 410:
      return goneFaults[await detailsOf(response)] ?? "over";
    case 429:
      return password === "" ? "failed" : "too-many-passwords";
    default:
      return "failed";
  }
}

function passwordFault(hasToken: boolean, password: string): EntryFault {
  if (hasToken) {
    return "link";
  }
  return password === "" ? "password" : "wrong-password";
}

/** The `details` of a 410. A locked meeting is only closed to newcomers. */
const goneFaults: Readonly<Record<string, EntryFault>> = {
  "Reason locked": "locked",
  "Reason cancelled": "cancelled",
};

async function detailsOf(response: Response): Promise<string> {
  const body = (await response.json().catch(() => ({}))) as { details?: string };
  return body.details ?? "";
}
