/** The network check of the customer's page before the call. */
import { expect } from "chai";
import type { Page } from "playwright-core";
import { agent, useBrowserPlatform } from "../support/browser-platform.ts";
import { findBarriers, phone, screenshots, useBrowser } from "../support/browser.ts";
import { press, seeHeading } from "../support/screens.ts";
import { agree, devices } from "../support/visit-pages.ts";

/** A TURN server at an address that does not respond. */
const silentTurn = {
  urls: ["turn:192.0.2.1:3478?transport=udp", "turn:127.0.0.1:9?transport=tcp"],
  username: "1795226447:requestor",
  credential: "8pqBYlhGnUkHkKwVfaYwPJUIu0A=",
};

describe("the network check on the customer's page", function () {
  this.timeout(90_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();

  /** Opens the page up to the network check. With `policy`, the TURN server does not respond. */
  const open = async (policy?: "all" | "relay"): Promise<Page> => {
    const rest = await platform.rest(agent);
    const body = { agent: agent.login, email: "jane@customer.example", invite: 1, language: "en" };
    const ticket = (await rest.succeed("POST /tickets", { body })).body;
    const page = await browser.open({ viewport: phone, context: devices });
    if (policy !== undefined) {
      const json = { servers: [silentTurn], policy, expires_in: 3_600 };
      await page.route("**/api/guest/ice", (route) => route.fulfill({ json }));
    }
    await page.goto(String(ticket["requestor_url"]));
    await agree(page);
    await seeHeading(page, "You are ready");
    return page;
  };

  const media = (page: Page, state: string) =>
    page.getByRole("listitem").filter({ hasText: "Picture and sound" }).getByText(state);

  const see = async (page: Page, name: string): Promise<void> => {
    expect(await findBarriers(page), name).to.deep.equal([]);
    await screenshots(page, `visit-network-${name}`);
    await page.setViewportSize(phone);
  };

  it("finds the direct route if no server is configured", async () => {
    const page = await open();
    await media(page, "work directly").waitFor();
    expect(await page.getByText("This network").count()).to.equal(0);
  });

  it("warns within seconds if TURN does not respond, and lets the customer join", async () => {
    const page = await open("all");
    await media(page, "may not work").waitFor({ timeout: 8_000 });
    await page.getByText("This network may block picture and sound.").waitFor();
    expect(await page.getByRole("button", { name: "Join the call" }).isEnabled()).to.equal(true);
    await see(page, "limited");
  });

  it("says that no media can pass if only TURN is permitted, and checks again", async () => {
    const page = await open("relay");
    await media(page, "not available").waitFor({ timeout: 8_000 });
    await page.getByText("This network blocks picture and sound.").waitFor();
    await see(page, "blocked");
    await page.unroute("**/api/guest/ice");
    await press(page, "Try again");
    await media(page, "work directly").waitFor();
    await page.getByText("This network blocks").waitFor({ state: "detached" });
  });
});
