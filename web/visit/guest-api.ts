/** The REST operations of a customer: docs/api/rooms.md, "Operations for customers". */
import type { Position } from "../rooms/api.ts";
import type { CheckedIce } from "../rooms/media/media-verdict.ts";
import { ApiFault, callApi, type ApiCall } from "../rooms/http.ts";
import type {
  AnsweredSurvey,
  Consent,
  GuestLink,
  PositionRequest,
  Survey,
  Visit,
} from "./guest-types.ts";

export function statusOf(thrown: unknown): number {
  return faultOf(thrown).status;
}

/** Without an answer, the status is 0. */
export function faultOf(thrown: unknown): ApiFault {
  return thrown instanceof ApiFault ? thrown : new ApiFault(0);
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
  let mayHaveDeclined = false;
  /** The token ends with it: after a lost response, the refusal of the token means that it was done. */
  const decline = async (): Promise<void> => {
    try {
      await post("/decline");
    } catch (thrown) {
      const status = statusOf(thrown);
      if (status !== 401 || !mayHaveDeclined) {
        mayHaveDeclined ||= status === 0 || status >= 500;
        throw thrown;
      }
    }
  };
  return {
    readVisit: () => get<Visit>("/visit"),
    readIce: () => get<CheckedIce>("/ice"),
    click: () => post("/click", {}),
    decline,
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

const timeoutMs = 20_000;

async function request<T>(path: string, options: Omit<ApiCall, "path"> = {}): Promise<T> {
  const aborter = new AbortController();
  const timer = setTimeout(() => aborter.abort(), timeoutMs);
  try {
    return await callApi<T>({ ...options, path: `/guest${path}`, signal: aborter.signal });
  } finally {
    clearTimeout(timer);
  }
}
