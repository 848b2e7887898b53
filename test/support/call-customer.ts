/** The customer's side of a call without its page: the core of a room, with fake devices. */
import { expect } from "chai";
import type { Page } from "playwright-core";
import type { TestBrowser } from "./browser.ts";
import { loadCore } from "./rooms-core.ts";

type Around = Readonly<{ platform: { url: string }; browser: TestBrowser }>;

/** Has agreed, opened camera and microphone, and waits in the room as `window.room`. */
export async function enterAsCustomer(
  ticket: { requestor_url: string },
  { platform: { url }, browser }: Around,
): Promise<Page> {
  const secret = ticket.requestor_url.split("/").at(-1) ?? "";
  const { room_token: token } = (await guestCall(url, `/tickets/${secret}/token`)) as {
    room_token: string;
  };
  const consent = { terms: true, privacy: true, textVersion: "1", language: "en" };
  await guestCall(url, "/consent", token, { ...consent, hasRecordingNotice: true });
  await guestCall(url, "/devices", token, { camera: true, microphone: true });
  await guestCall(url, "/accept", token);
  const page = await browser.open({
    context: { permissions: ["camera", "microphone", "geolocation"] },
  });
  await loadCore(page, { url, token, facing: "environment" });
  await page.evaluate("room.join()");
  return page;
}

async function guestCall(
  url: string,
  path: string,
  token?: string,
  body: object = {},
): Promise<unknown> {
  const answer = await fetch(`${url}/api/guest${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  expect(answer.status, path).to.be.below(300);
  return answer.status === 204 ? undefined : answer.json();
}
