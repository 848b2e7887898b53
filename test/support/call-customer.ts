/** The customer of a call without the customer's page: its REST calls, and the core of a room. */
import { expect } from "chai";
import type { Page } from "playwright-core";
import type { TestBrowser } from "./browser.ts";
import type { Login, RestClient } from "./rest-client.ts";
import { openCore } from "./rooms-core.ts";

type Around = Readonly<{ platform: { url: string }; browser: TestBrowser }>;

type GuestCall = Readonly<{ token?: string; json?: object }>;

/** Makes one call as a guest, and expects it to succeed. */
export async function callAsGuest(
  url: string,
  path: string,
  { token, json = {} }: GuestCall = {},
): Promise<Record<string, unknown>> {
  const answer = await fetch(`${url}/api/guest${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(json),
  });
  const text = await answer.text();
  expect(answer.status, `${path}: ${text}`).to.be.below(300);
  return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
}

/** Opens the customer's link. Returns the customer's room token. */
export async function openLink(url: string, requestorUrl: string): Promise<string> {
  const secret = requestorUrl.split("/").at(-1) ?? "";
  return String((await callAsGuest(url, `/tickets/${secret}/token`))["room_token"]);
}

/** The same, followed by all calls that precede the room. */
export async function acceptInvitation(url: string, requestorUrl: string): Promise<string> {
  const token = await openLink(url, requestorUrl);
  const agreed = { terms: true, privacy: true, textVersion: "1", language: "en" };
  const steps: [path: string, json: object][] = [
    ["/consent", { ...agreed, hasRecordingNotice: true }],
    ["/devices", { camera: true, microphone: true }],
    ["/accept", {}],
  ];
  for (const [path, json] of steps) {
    await callAsGuest(url, path, { token, json });
  }
  return token;
}

/** Room tokens of both sides of a new ticket, whose customer may enter. */
export async function aVisit(
  url: string,
  { rest, agent }: Readonly<{ rest: RestClient; agent: Login }>,
): Promise<{ customer: string; staff: string }> {
  const body = { agent: agent.login, email: "jane@customer.example", invite: 1 };
  const ticket = (await rest.succeed("POST /tickets", { body })).body;
  const customer = await acceptInvitation(url, String(ticket["requestor_url"]));
  return { customer, staff: await staffToken(rest, Number(ticket["id"])) };
}

/** The room token of a ticket's agent. */
export async function staffToken(rest: RestClient, ticketId: number): Promise<string> {
  const answer = await rest.succeed(`POST /tickets/${ticketId}/room-token`);
  return String(answer.body["room_token"]);
}

/**
 * Opens a page with camera and microphone whose customer has consented and waits in the room, as
 * `window.room`.
 */
export async function enterAsCustomer(
  ticket: { requestor_url: string },
  { platform: { url }, browser }: Around,
): Promise<Page> {
  const token = await acceptInvitation(url, ticket.requestor_url);
  const context = { permissions: ["camera", "microphone", "geolocation"] };
  const page = await openCore(browser, { url, token, facing: "environment", context });
  await page.evaluate("room.join()");
  return page;
}

/** Enters a meeting by its public address, with a name only. Returns the room token. */
export async function meetingToken(url: string, meetingUrl: string, name: string): Promise<string> {
  const [, service_key, room_name] = /\/m\/([^/]+)\/([^/?]+)/u.exec(meetingUrl) ?? [];
  const json = { service_key, room_name, name };
  return String((await callAsGuest(url, "/conferences/token", { json }))["room_token"]);
}
