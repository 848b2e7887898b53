import { expect } from "chai";
import type { Page } from "playwright-core";
import { screenshot } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { useLoaderCalls, type CallTicket } from "../support/loader-calls.ts";
import { inAgent } from "../support/loader-fixture.ts";

describe("a call of the agent module in a tab", function () {
  this.timeout(120_000);
  const { loader, open } = useLoaderCalls();

  /** Starts a call, and expects it in a tab, with the reason. */
  const callsInTab = async (page: Page, ticket: CallTicket, words: string): Promise<void> => {
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      inAgent<boolean>(page, `call(${ticket.id})`).then((isShown) =>
        expect(isShown).to.equal(true),
      ),
    ]);
    await tab.getByRole("button", { name: "Sign in" }).waitFor();
    await tab.close();
    const box = page.locator(".im-box");
    await box.getByText(`${words} The call is open in another tab.`).waitFor();
    expect(await page.locator(".im-frame:visible").count()).to.equal(0);
  };

  it("opens a tab with an explanation if the domain is no longer allowed", async () => {
    const { page, ticket } = await open();
    const domain = new URL(loader.host.foreignUrl).host;
    const removed = loader.platform.db("enterprise_domains").where({ domain });
    const [row] = await removed.clone().select("enterprise_id", "domain");
    await removed.clone().delete();
    await callsInTab(page, ticket, "This site is not allowed to show calls.");
    await screenshot(page, "loader-call-refused");
    await loader.platform.db("enterprise_domains").insert(row);
  });

  it("opens a tab if the host's policy forbids the frame", async () => {
    const { page, ticket } = await open({ hasCalls: false }, { expectedErrors: [/frame-src/u] });
    const words = "Your browser or this site does not allow the call here.";
    await callsInTab(page, ticket, words);
  });

  it("opens a tab if the browser blocks the cookie of the frame", async () => {
    const { page, ticket } = await open({}, { expectedErrors: [/frame-ancestors/u] });
    // Drops the cookie from the sign-in response.
    await page.route(/access_token=/u, (route) => {
      const { pathname } = new URL(route.request().url());
      return route.fulfill({ status: 303, headers: { location: pathname } });
    });
    const words = "Your browser or this site does not allow the call here.";
    await callsInTab(page, ticket, words);
  });

  it("moves to a tab on the agent's request, and back", async () => {
    const { page, ticket, box } = await open();
    await inAgent(page, `call(${ticket.id})`);
    await page
      .frameLocator(".im-frame")
      .getByRole("heading", { name: /^Waiting for/u })
      .waitFor();
    const other: CallTicket = await loader.aTicket();
    const [second] = await Promise.all([
      page.context().waitForEvent("page"),
      inAgent(page, `call(${other.id})`),
    ]);
    await second.close();
    await page.getByText("This page already shows another call.").waitFor();
    const own = page.locator(`.im-box[data-dest-id="${ticket.id}"]`);
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      own.getByRole("button", { name: "Open in a tab" }).click(),
    ]);
    expect(tab.url()).to.match(new RegExp(`/tickets/${ticket.id}$`, "u"));
    await own.getByText("The call is open in another tab.").waitFor();
    await eventually(async () => expect(await page.locator(".im-frame").count()).to.equal(0));
    await tab.close();
    await own.getByRole("button", { name: "Video call" }).click();
    await page
      .frameLocator(".im-frame")
      .getByRole("heading", { name: /^Waiting for/u })
      .waitFor();
    expect(await box.count()).to.equal(2);
  });
});
