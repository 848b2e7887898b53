/** Helpers of several chapters. Each fails if the service refuses the call. */
import { randomUUID } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import type { Answer, Client, Service } from "./service.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- a test asserts on JSON of any shape
export type Body = any;

export async function succeed(
  client: Pick<Client, "call">,
  operation: string,
  options?: Parameters<Client["call"]>[1],
): Promise<Body> {
  const answer = await client.call(operation, options);
  if (answer.status >= 300) {
    throw new Error(`${operation}: ${answer.status} ${answer.text}`);
  }
  return answer.body;
}

export function queryOf(values: Readonly<Record<string, string>>): string {
  return new URLSearchParams(values).toString();
}

export const aPhone = "+33612345678";

/** Creates a ticket by query parameters, for the default agent unless another one is given. */
export async function createTicket(
  service: Service,
  values: Readonly<Record<string, string>> = {},
  client: Client = service.admin,
): Promise<Body> {
  const contact = "email" in values || "phone" in values ? {} : { phone: aPhone };
  const query = queryOf({ agent: service.agent.login, ...contact, ...values });
  return succeed(client, `POST /api/tickets?${query}`);
}

export async function createConference(
  service: Service,
  values: Readonly<Record<string, string>> = {},
): Promise<Body> {
  return succeed(
    service.agent,
    `POST /api/conferences?${queryOf({ participants: "guest@guests.example", ...values })}`,
  );
}

export async function move(service: Service, ticketId: number, action: string): Promise<Body> {
  return succeed(service.admin, `POST /api/tickets/${ticketId}/${action}`);
}

function lastPart(url: string): string {
  return url.split("/").at(-1) ?? "";
}

/** The customer opens the link of the ticket. */
export async function openLink(
  service: Service,
  ticket: { requestor_url: string },
): Promise<Client> {
  const secret = lastPart(ticket.requestor_url);
  const { room_token } = await succeed(service, `POST /api/guest/tickets/${secret}/token`);
  return service.as(String(room_token));
}

export function informationCodeOf(ticket: { information_page_url: string }): string {
  return lastPart(ticket.information_page_url);
}

export async function consent(customer: Client, userAgent = "test"): Promise<void> {
  await succeed(customer, "POST /api/guest/consent", {
    json: { terms: true, privacy: true, textVersion: "2026-01", language: "fr" },
    headers: { "user-agent": userAgent },
  });
}

export async function givePosition(
  service: Service,
  ticketId: number,
  customer: Client,
  geoloc: { lat: number; lng: number } | null,
): Promise<void> {
  const { id } = await succeed(service.agent, `POST /api/tickets/${ticketId}/position-requests`);
  await succeed(customer, `POST /api/guest/position-requests/${String(id)}/answer`, {
    json: { geoloc },
  });
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, check]);
}

/** A PNG of one red pixel. */
function aPng(): Buffer {
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from("\u0089PNG\r\n\u001A\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.from([0, 255, 0, 0]))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** The header of a video file, enough for type detection. */
export function aFilm(): Buffer {
  return Buffer.from("\0\0\0\u0018ftypmp42\0\0\0\0mp42isom\0\0\0\u0008free", "latin1");
}

export type File = Readonly<{ name: string; type: string; bytes: Buffer }>;

export function aPicture(name = "meter.png"): File {
  return { name, type: "image/png", bytes: aPng() };
}

export async function send(
  client: Client,
  path: "/api/medias" | "/api/guest/medias",
  { name, type, bytes }: File,
  fields: Readonly<Record<string, string | number>> = {},
): Promise<Answer> {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) {
    form.set(field, String(value));
  }
  form.set("file", new Blob([Uint8Array.from(bytes)], { type }), name);
  return client.call(`POST ${path}`, { raw: form });
}

export async function upload(...order: Parameters<typeof send>): Promise<Body> {
  const answer = await send(...order);
  if (answer.status !== 201) {
    throw new Error(`The file is not taken: ${answer.status} ${answer.text}`);
  }
  return answer.body;
}

/** A signed-in user of the tests' enterprise. */
export async function aUser(
  service: Service,
  values: Readonly<Record<string, unknown>>,
): Promise<Client> {
  const login = `u-${randomUUID()}@users.example`;
  const password = "Some-thing-42";
  await succeed(service.admin, "POST /api/users", {
    json: { login, email: login, password, firstname: "Una", lastname: "User", ...values },
  });
  return service.logIn(login, password);
}

export type Person = { email: string; phone: string; firstname: string; lastname: string };

export async function whoIs(client: Client): Promise<Body> {
  return succeed(client, "GET /api/v2/users/me");
}

/** The user in the form in which events contain it. */
export async function personOf(service: Service, client: Client): Promise<Person> {
  const { userId } = await whoIs(client);
  const user = await succeed(service.admin, `GET /api/users/${String(userId)}`);
  const { email, phone, firstname, lastname } = user;
  return { email, phone, firstname, lastname };
}

/**
 * Reads the timeline through the conversation, which has a higher rate limit than the ticket's
 * events.
 */
export async function eventsOf(service: Service, ticketId: number): Promise<Body[]> {
  const list = `GET /api/conversations?ticketId=${ticketId}`;
  const { data } = await succeed(service.admin, list);
  return succeed(service.admin, `GET /api/conversations/${data[0].id}/timeline?limit=100`);
}

export async function eventTypesOf(service: Service, ticketId: number): Promise<string[]> {
  return (await eventsOf(service, ticketId)).map((event) => String(event.eventType));
}

/** Status, code and field of a refusal. */
export async function refusalBy(client: Client, operation: string): Promise<unknown[]> {
  const { status, body } = await client.call(operation);
  return [status, body.code, body.details];
}

export function isoBefore(milliseconds: number): string {
  return new Date(Date.now() - milliseconds).toISOString();
}
