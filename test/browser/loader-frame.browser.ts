import { randomUUID } from "node:crypto";
import { expect } from "chai";
import type { Page, WebSocketRoute } from "playwright-core";
import { findBarriers, screenshot, type OpenOptions } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { axeReadsStyles, useLoaderFixture } from "../support/loader-fixture.ts";
import { recordOf, recordsOf, type LoaderSetup } from "../support/loader-host.ts";

/** Records the messages that the platform posts to the page. */
function listenTo(page: Page): string[] {
  const text: string[] = [];
  page.on("websocket", (socket) => {
    socket.on("framereceived", ({ payload }) => void text.push(String(payload)));
  });
  return text;
}

describe("the agent module during a call", () => {
  const loader = useLoaderFixture();

  /** A page with a running call whose tab was closed. */
  const calling = async (
    setup: LoaderSetup,
    options: OpenOptions = {},
    prepare: (page: Page) => Promise<void> = async () => undefined,
  ) => {
    const { id, conversationId } = await loader.aTicket();
    const page = await loader.browser.open({
      ...options,
      // The CSP of this host forbids frames of the platform, so its calls open in a tab.
      expectedErrors: [/frame-src/u, ...(options.expectedErrors ?? [])],
    });
    await prepare(page);
    const texts = listenTo(page);
    const said: string[] = [];
    page.on("console", (message) => void said.push(message.text()));
    await loader.host.show(page, setup);
    await recordOf(page, "init");
    await page.evaluate(`window.agent.openBox(${id})`);
    // Only the tab's address matters; the real console would redirect to the sign-in.
    await page.context().route("**/agent/entrypoint/**", (route) => route.fulfill({ body: "" }));
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      page.evaluate(`window.agent.call(${id})`),
    ]);
    await tab.waitForURL(/\/tickets\/\d+/u, { waitUntil: "commit" });
    expect(new URL(tab.url()).pathname).to.match(/^\/agent\/entrypoint\/\d+\/tickets\/\d+$/u);
    await tab.close();
    await page.getByText("The call is open in another tab.").waitFor();
    return { page, messages: texts, said, id, room: conversationId };
  };

  const fill = async (room: number): Promise<void> => {
    await loader.platform.db("sessions").insert({
      id: randomUUID(),
      enterprise_id: loader.platform.enterpriseId,
      conversation_id: room,
      started_at: new Date(),
    });
  };
  const empty = async (room: number): Promise<void> => {
    await loader.platform.db("sessions").where({ conversation_id: room }).update({
      ended_at: new Date(),
      end_reason: "ended",
      finished_at: new Date(),
      billing_seconds: 0,
    });
  };
  const hears = (records: readonly string[], part: string): Promise<unknown> =>
    eventually(() => records.some((text) => text.includes(part)), { timeoutMs: 10_000 });

  it("keeps the boxes over a navigation of the host's page, and ends with the call", async () => {
    const { page, messages, id, room } = await calling({ useFrame: true }, axeReadsStyles);
    await fill(room);
    await page.getByRole("link", { name: "The second page" }).click();
    expect(await recordOf(page, "putInFrame")).to.deep.equal({
      type: "putInFrame",
      params: undefined,
      count: 3,
    });
    const frame = page.frameLocator("#navIframe");
    await frame.getByRole("heading", { name: "CRM /second" }).waitFor();
    expect(new URL(page.url()).pathname, "the top stays").to.equal("/");
    await page.getByRole("region", { name: /Conversation with/u }).waitFor();
    expect(await page.getAttribute("#navIframe", "allow")).to.equal(
      "microphone; camera; geolocation; display-capture",
    );
    const inside = page.frame("navIframe");
    await eventually(async () => {
      const count = await inside?.evaluate("window.records?.length");
      expect(count, "nothing runs in the frame").to.equal(0);
    });
    expect(await inside?.evaluate("document.getElementById('im-agent')")).to.equal(null);
    await frame.getByRole("button", { name: "Go" }).click();
    await inside?.waitForURL(/\/second\?name=/u);
    expect(await findBarriers(page)).to.deep.equal([]);
    await screenshot(page, "loader-frame");
    await hears(messages, '"isOngoing":true');
    const types = (await recordsOf(page)).map(({ type }) => type);
    expect(types.filter((type) => type === "putInFrame")).to.have.length(1);
    // All participants leave the room: the call ends, and the tab navigates to the frame's address.
    await empty(room);
    await page.waitForURL(/\/second\?name=/u);
    await page.getByRole("heading", { name: "CRM /second" }).waitFor();
    await recordOf(page, "init");
    expect(id).to.be.greaterThan(0);
  });

  it("submits a form in the frame, with its values", async () => {
    const { page } = await calling({ useFrame: true });
    await page.getByLabel("Name").fill("Ann");
    await page.getByRole("button", { name: "Go" }).click();
    await recordOf(page, "putInFrame");
    await page.frame("navIframe")?.waitForURL(/\/second\?name=Ann&go=1/u);
  });

  it("submits it to the address of the pressed button, whatever the names of its fields", async () => {
    const { page } = await calling({ useFrame: true });
    await page.getByRole("button", { name: "Nowhere" }).click();
    expect(await page.locator("#navIframe").count(), "that goes nowhere").to.equal(0);
    await page.getByRole("button", { name: "Elsewhere" }).click();
    await recordOf(page, "putInFrame");
    await page.frame("navIframe")?.waitForURL(/\/third\?action=save/u);
  });

  it("ignores fragment links, and hosts that did not enable it", async () => {
    const { page } = await calling({ useFrame: true });
    await page.getByRole("link", { name: "A place" }).click();
    expect(await page.locator("#navIframe").count()).to.equal(0);
    const plain = await calling({ useFrame: false });
    await plain.page.getByRole("link", { name: "The second page" }).click();
    await plain.page.waitForURL(/\/second$/u);
    expect(await plain.page.locator("#navIframe").count()).to.equal(0);
  });

  it("stays disabled with a warning if the page forbids framing", async () => {
    const { page, said } = await calling(
      { useFrame: true, isFrameless: true },
      { expectedErrors: [/frame-ancestors/u] },
    );
    await page.getByRole("link", { name: "The second page" }).click();
    await page.waitForURL(/\/second$/u);
    await page.getByRole("heading", { name: "CRM /second" }).waitFor();
    expect(await page.locator("#navIframe").count()).to.equal(0);
    expect(said.filter((text) => text.startsWith("loadAgent: "))).to.deep.equal([
      "loadAgent: this page cannot be shown in a frame: when it is left, the boxes of the call are removed.",
    ]);
    expect(said).to.include("callback init").and.not.include("callback putInFrame");
  });

  it("submits a form of such a page as usual", async () => {
    const { page, said } = await calling(
      { useFrame: true, isFrameless: true },
      { expectedErrors: [/frame-ancestors/u] },
    );
    await page.getByLabel("Name").fill("Ann");
    await page.getByRole("button", { name: "Go" }).click();
    await page.waitForURL(/\/second\?name=Ann&go=1/u);
    expect(said).to.not.include("callback putInFrame");
  });

  it("navigates to another site without the frame, with a warning", async () => {
    const { page, said } = await calling({ useFrame: true });
    await page.getByRole("link", { name: "Another site" }).click();
    await page.waitForURL(`${loader.platform.url}/readyz`);
    expect(said.filter((text) => text.startsWith("loadAgent: "))).to.deep.equal([
      `loadAgent: ${loader.platform.url} is another site, so it is opened without the frame.`,
    ]);
    expect(said).to.not.include("callback putInFrame");
  });

  it("ends on the agent's request", async () => {
    const { page } = await calling({ useFrame: true });
    await page.getByRole("button", { name: "End call" }).click();
    await page.getByRole("link", { name: "The second page" }).click();
    await page.waitForURL(/\/second$/u);
  });

  it("ends for an agent whose ticket was taken", async () => {
    const { page, id, room } = await calling({ useFrame: false });
    await loader.platform.db("tickets").where({ id }).update({ agent_id: loader.colleague.id });
    await fill(room);
    await page.getByText("The call is open in another tab.").waitFor({ state: "hidden" });
  });

  it("ends if its room became empty during a connection loss", async () => {
    const connections: WebSocketRoute[] = [];
    const { page, messages, room } = await calling({ useFrame: false }, {}, (opened) =>
      opened.routeWebSocket(/signalling/u, (socket) => {
        socket.connectToServer();
        connections.push(socket);
      }),
    );
    await fill(room);
    await hears(messages, '"isOngoing":true');
    await connections.at(-1)?.close(); // it reconnects after half a second
    await empty(room);
    await page.getByText("The call is open in another tab.").waitFor({ state: "hidden" });
  });
});
