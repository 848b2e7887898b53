import { expect } from "chai";
import type { Page } from "playwright-core";
import { admin, agent, useBrowserPlatform } from "../support/browser-platform.ts";
import { findBarriers, seeFits, phone, screenshots, useBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { closeClients, connectAgent } from "../support/signalling.ts";

describe("the loader demo", () => {
  const platform = useBrowserPlatform();
  const browser = useBrowser();

  afterEach(closeClients);

  const load = async (page: Page, options: { useFrame: boolean }): Promise<void> => {
    await page.goto(`${platform.url}/loader-demo`);
    await page.getByLabel("Login", { exact: true }).fill(agent.login);
    await page.getByLabel("Password", { exact: true }).fill(agent.password);
    await page.getByRole("button", { name: "Get a token" }).click();
    await page.getByText("Signed in:").waitFor();
    await page.getByLabel("useFrame").setChecked(options.useFrame);
    await page.getByRole("button", { name: "loadAgent(…)" }).click();
    await page.locator('#log li[data-type="init"]').waitFor();
  };

  /** The calls of the callback in order, as shown by the page. */
  const logged = (page: Page): Promise<[type: string, params: string][]> =>
    page.evaluate(
      `[...document.querySelectorAll("#log li")]
        .map((li) => [li.dataset.type, li.querySelector("pre").textContent]).reverse()`,
    );

  const heard = (page: Page, type: string) => page.locator(`#log li[data-type="${type}"]`).first();

  it("lets one person be agent and customer, and shows every callback with its arguments", async () => {
    const page = await browser.open();
    await load(page, { useFrame: true });
    const { body } = await (await platform.rest(admin)).succeed("GET /users/me");
    const colleague = { id: Number(body["userId"]), token: String(body["token"]) };
    await connectAgent(platform, { apiKey: String(body["apiKey"]) } as never, colleague);
    await heard(page, "updatePresence").waitFor();
    await page.getByRole("button", { name: "New ticket" }).click();
    await page.getByRole("region", { name: "Conversation with Jane Doe" }).waitFor();
    const id = Number(await page.getByLabel("destId").inputValue());
    await page.getByLabel("Write as the customer").fill("My boiler leaks: https://example.com/a");
    await page.getByLabel("Write as the customer").press("Enter");
    const box = page.getByRole("region", { name: "Conversation with Jane Doe" });
    await box.getByText("My boiler leaks").waitFor();
    await box.getByPlaceholder("Write a message").fill("I am on my <way>");
    await box.getByPlaceholder("Write a message").press("Enter");
    await page.locator("#customer-lines").getByText("I am on my <way>").waitFor();
    await page.getByRole("button", { name: "minimize(destId)" }).click();
    await page.getByRole("button", { name: "maximize(destId)" }).click();
    await page.getByRole("button", { name: "closeBox(destId)" }).click();
    await heard(page, "close").waitFor();
    await page.getByRole("button", { name: "openBox(destId)" }).click();
    await box.waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await screenshots(page, "loader-demo");

    await page.getByRole("button", { name: "call(destId)" }).click();
    await page
      .frameLocator(".im-frame")
      .getByRole("heading", { name: /Jane Doe/u, level: 2 })
      .waitFor();
    await screenshots(page, "loader-demo-call");
    await box.getByRole("button", { name: "Messages" }).click();
    await page.getByRole("link", { name: "Orders" }).click();
    const frame = page.frameLocator("#navIframe");
    await frame.getByText("You are in the CRM’s orders.").waitFor();
    expect(page.url(), "the top stays").to.equal(`${platform.url}/loader-demo`);

    const nickname = "Jane Doe";
    const opened = [
      ["createNewIMDiv", { destId: id, nickname }],
      ["openComBox", `jQuery 3.7.1 <div class="im-box" data-dest-id="${id}">`],
    ];
    const link = "https://example.com/a";
    const html =
      `My boiler leaks: <a href="${link}" target="_blank" ` +
      `rel="noopener noreferrer nofollow">${link}</a>`;
    const found = await logged(page);
    const { time } = JSON.parse(found[1]?.[1] ?? "{}") as { time: string };
    expect(new Date(time).toISOString()).to.equal(time);
    const online = {
      ...{ eventType: "presence", time },
      connectedUsersList: [{ id: colleague.id, nickname: "Demo Administrator" }],
      state: "online",
    };
    const expected = [
      ["init", undefined],
      ["updatePresence", online],
      ...opened,
      ["showNewMessage", { nickname, destId: id, message: `My boiler leaks: ${link}`, html }],
      ["sendMessage", { destId: id, message: "I am on my <way>" }],
      ...[
        ["minimize", id],
        ["maximize", id],
        ["close", id],
      ],
      ...opened,
      ["putInFrame", undefined],
    ];
    const inWords = (params: unknown): unknown =>
      typeof params === "string" ? params : (JSON.stringify(params, null, 1) ?? "undefined");
    expect(found).to.deep.equal(expected.map(([type, params]) => [type, inWords(params)]));
  });

  it("moves a call to a tab if the frame is not signed in", async () => {
    const page = await browser.open();
    await load(page, { useFrame: false });
    await page.getByRole("button", { name: "New ticket" }).click();
    const box = page.getByRole("region", { name: "Conversation with Jane Doe" });
    await box.waitFor();
    // Drops the cookie from the sign-in response.
    await page.route(/access_token=/u, (route) => {
      const { pathname } = new URL(route.request().url());
      return route.fulfill({ status: 303, headers: { location: pathname } });
    });
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      box.getByRole("button", { name: "Video call" }).click(),
    ]);
    await tab.waitForURL(/\/tickets\/\d+$/u, { waitUntil: "commit" });
    await box
      .getByText(/does not allow the call here\. The call is open in another tab/u)
      .waitFor();
    expect(await page.locator(".im-frame:visible").count()).to.equal(0);
  });

  it("keeps the customer's messages until the connection is established", async () => {
    const page = await browser.open();
    const held: (() => void)[] = [];
    let isHolding = false;
    await page.routeWebSocket(/\/signalling/u, (socket) => {
      const connect = (): void => void socket.connectToServer();
      if (isHolding) {
        held.push(connect);
      } else {
        connect();
      }
    });
    await load(page, { useFrame: false });
    isHolding = true;
    await page.getByRole("button", { name: "New ticket" }).click();
    const box = page.getByRole("region", { name: "Conversation with Jane Doe" });
    await box.waitFor();
    await eventually(() => held.length === 1);
    await page.getByLabel("Write as the customer").fill("Is anybody there?");
    await page.getByLabel("Write as the customer").press("Enter");
    held.forEach((connect) => connect());
    await box.getByText("Is anybody there?").waitFor();
    await page.locator("#customer-lines").getByText("Is anybody there?").waitFor();
    expect(await page.locator("#customer-lines li").count()).to.equal(1);
  });

  it("fits on a phone, in French", async () => {
    const page = await browser.open({ viewport: phone, language: "fr", colors: "dark" });
    await page.goto(`${platform.url}/loader-demo?page=orders`);
    await page.getByRole("heading", { name: "Le module agent dans votre propre page" }).waitFor();
    await page.getByRole("link", { name: "Commandes" }).waitFor();
    await seeFits(page);
    expect(await findBarriers(page)).to.deep.equal([]);
    await screenshots(page, "loader-demo-french-dark");
  });
});
