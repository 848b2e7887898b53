/**
 * Tickets whose customer has completed all steps before the call, through the same REST calls as
 * the pages.
 */
import type { Login } from "./stack.ts";

export type Visit = Readonly<{
  ticketId: number;
  /** Room tokens of both sides. */
  agent: string;
  customer: string;
}>;

type Json = Record<string, unknown>;

/** Makes each API call once, in the order of the pages. */
export async function openVisits(
  url: string,
  { login, count, parallel }: Readonly<{ login: Login; count: number; parallel: number }>,
): Promise<Visit[]> {
  const api = await signIn(url, login);
  const visits: Visit[] = [];
  const work = async (): Promise<void> => {
    for (let left = count - visits.length; left > 0; left = count - visits.length) {
      const opened = await openVisit(api, login.login);
      if (visits.length < count) {
        visits.push(opened);
      }
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return visits;
}

export type Api = Readonly<{
  get(path: string): Promise<Json>;
  post(path: string, body?: Json): Promise<Json>;
  /** Calls as the customer with this room token. */
  asGuest(path: string, token?: string, body?: Json): Promise<Json>;
}>;

export async function signIn(url: string, { login, password }: Login): Promise<Api> {
  const body = { grant_type: "password", username: login, password };
  const { access_token: token } = await send(`${url}/api/token`, { method: "POST", body });
  return {
    get: (path) => send(`${url}/api${path}`, { method: "GET", token: String(token) }),
    post: (path, input = {}) =>
      send(`${url}/api${path}`, { method: "POST", token: String(token), body: input }),
    asGuest: (path, guestToken, input = {}) =>
      send(`${url}/api/guest${path}`, { method: "POST", token: guestToken, body: input }),
  };
}

export async function openVisit(api: Api, agent: string): Promise<Visit> {
  const ticket = await api.post("/tickets", { agent, email: "jane@bench.example", invite: 1 });
  const secret = String(ticket["requestor_url"]).split("/").pop();
  const { room_token: customer } = await api.asGuest(`/tickets/${secret}/token`);
  const token = String(customer);
  const consent = { terms: true, privacy: true, textVersion: "1", language: "en" };
  await api.asGuest("/consent", token, consent);
  await api.asGuest("/devices", token, { camera: true, microphone: true });
  await api.asGuest("/accept", token);
  const ticketId = Number(ticket["id"]);
  const room = await api.post(`/tickets/${ticketId}/room-token`);
  return { ticketId, customer: token, agent: String(room["room_token"]) };
}

type Request = Readonly<{ method: string; token?: string | undefined; body?: Json }>;

async function send(url: string, { method, token, body }: Request): Promise<Json> {
  const response = await fetch(url, {
    method,
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`${method} ${url} answered ${response.status}: ${text}`);
  }
  return text === "" ? {} : (JSON.parse(text) as Json);
}
