/** The REST operations of a customer: docs/api/rooms.md, "What customers do". */

import type {
  AnsweredSurvey,
  Consent,
  GuestLink,
  Position,
  PositionRequest,
  Survey,
  Visit,
} from "./guest-types.ts";

/** A refusal of the platform; status 0 if it did not answer. */
class GuestFault extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The platform responded with ${status}.`);
    this.name = "GuestFault";
    this.status = status;
  }
}

export function statusOf(thrown: unknown): number {
  return thrown instanceof GuestFault ? thrown.status : 0;
}

export function readLink(secret: string): Promise<GuestLink> {
  return request<GuestLink>(`/tickets/${encodeURIComponent(secret)}`);
}

/** Begins a visit. Out: its room token. */
export async function beginVisit(secret: string): Promise<string> {
  const path = `/tickets/${encodeURIComponent(secret)}/token`;
  const { room_token: token } = await request<{ room_token: string }>(path, { method: "POST" });
  return token;
}

export type GuestApi = ReturnType<typeof createGuestApi>;

export function createGuestApi(token: string) {
  const get = <T>(path: string) => request<T>(path, { token });
  const post = <T = void>(path: string, body?: object) =>
    request<T>(path, { token, method: "POST", body });
  return {
    readVisit: () => get<Visit>("/visit"),
    click: () => post("/click", {}),
    decline: () => post("/decline"),
    consent: (consent: Consent) =>
      post<{ position_request: PositionRequest | null }>("/consent", {
        ...consent,
        terms: true,
        privacy: true,
        hasRecordingNotice: true,
      }),
    answerPosition: (requestId: string, geoloc: Position | null) =>
      post(`/position-requests/${encodeURIComponent(requestId)}/answer`, { geoloc }),
    reportDevices: (devices: Readonly<{ camera: boolean; microphone: boolean }>) =>
      post("/devices", devices),
    accept: () => post("/accept"),
    readSurvey: () => get<Survey>("/survey"),
    answerSurvey: (answered: AnsweredSurvey) => post("/survey", answered),
  };
}

type RequestOptions = Readonly<{ token?: string; method?: "POST"; body?: object | undefined }>;

const timeoutMs = 20_000;

async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const { token, method = "GET", body } = options;
  const aborter = new AbortController();
  const timer = setTimeout(() => aborter.abort(), timeoutMs);
  try {
    const response = await fetch(`/api/guest${path}`, {
      method,
      // No cookie: a user who is signed in on this browser is not the customer.
      credentials: "omit",
      cache: "no-store",
      signal: aborter.signal,
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) {
      throw new GuestFault(response.status);
    }
    return (response.status === 204 ? undefined : await response.json()) as T;
  } catch (thrown) {
    throw thrown instanceof GuestFault ? thrown : new GuestFault(0);
  } finally {
    clearTimeout(timer);
  }
}
