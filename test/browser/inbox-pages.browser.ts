import { expect } from "chai";
import type { Page, Response, Route } from "playwright-core";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { admin, agent, useBrowserPlatform, useOwnPlatform } from "../support/browser-platform.ts";
import { eventually } from "../support/eventually.ts";
import {
  findBarriers,
  seeFits,
  phone,
  screenshot,
  screenshots,
  useBrowser,
} from "../support/browser.ts";

describe("home, inbox and mailbox", function () {
  this.timeout(90_000);
  const platform = useOwnPlatform();
  const browser = useBrowser();

  const aTicket = async (more: Record<string, unknown> = {}): Promise<void> => {
    const rest = await platform.rest(agent);
    const body = { agent: agent.login, email: "jane@customer.example", ...more };
    await rest.succeed("POST /tickets", { body });
  };

  it("links the home page to every other page", async () => {
    const page = await browser.open();
    await page.goto(platform.url);
    await page.getByText("Ready", { exact: true }).waitFor();
    const doors = page.getByRole("navigation", { name: "Start here" }).getByRole("link");
    const console = doors.filter({ hasText: "Console" });
    expect(await console.getAttribute("href")).to.equal("/tickets");
    const places = page.getByRole("list").last();
    for (const [name, path] of [
      ["Quick invitation", "/quick-invitation"],
      ["Mailbox", "/mailbox"],
      ["Loader demo", "/loader-demo"],
      ["API reference", "/api/docs"],
    ] as const) {
      const link = places.getByRole("link", { name, exact: true });
      await link.waitFor();
      expect(await link.getAttribute("href")).to.equal(path);
      expect((await page.request.get(platform.url + path)).status(), path).to.equal(200);
    }
    const inbox = doors.filter({ hasText: "Inbox" });
    expect(await inbox.getAttribute("href")).to.equal(platform.inboxUrl);
    await page.getByText(`${platform.url}/api/tickets`).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await screenshots(page, "home");
    await page.setViewportSize(phone);
    await seeFits(page);
  });

  it("shows new requests without a reload, with verdict, body and headers", async () => {
    const page = await browser.open();
    await page.goto(platform.inboxUrl);
    await page.getByRole("heading", { name: "No requests yet" }).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    await aTicket();
    await page.getByText("ticket.create").first().waitFor();
    await page
      .getByRole("link", { name: /ticket\.create/u })
      .first()
      .click();
    await page.getByText("Verified", { exact: true }).first().waitFor();
    await page.getByText("webhook-signature").first().waitFor();
    const body = page.locator("pre.body").first();
    // The previous request stays visible until the address has changed.
    await body.filter({ hasText: '"object": "ticket"' }).waitFor();
    expect(JSON.parse(await body.innerText())).to.include({ object: "ticket", event: "create" });
    expect(
      await page.getByRole("link", { name: "All requests" }).count(),
      "the list is there",
    ).to.equal(0);
    await page.getByRole("button", { name: "Exact bytes" }).click();
    expect(await page.locator("pre.body:visible").innerText()).to.match(/^\{"event"/u);
    expect(await findBarriers(page)).to.deep.equal([]);
    await screenshots(page, "inbox");
  });

  it("shows an unsigned request as not verified, with the reason", async () => {
    const page = await browser.open({ viewport: phone });
    const forged = '{"object":"ticket","event":"create","objectId":1}';
    await fetch(platform.inboxUrl, { method: "POST", body: forged });
    await page.goto(platform.inboxUrl);
    await page.getByText("Not verified").first().click();
    await page.getByText("Its sender does not have the secret.").waitFor();
    await page.getByRole("link", { name: "All requests" }).click();
    await page.getByText("Not verified").first().waitFor();
    await seeFits(page);
  });

  it("answers 404 with a page for an unknown inbox", async () => {
    const page = await browser.open({ colors: "dark" });
    const answer = await page.goto(`${platform.url}/inbox/${"x".repeat(22)}`);
    expect(answer?.status()).to.equal(404);
    await page.getByRole("heading", { name: "This inbox does not exist" }).waitFor();
    await screenshots(page, "inbox-unknown");
  });

  it("shows emails in the mailbox as their recipients see them", async () => {
    const page = await browser.open();
    await page.goto(`${platform.url}/mailbox`);
    await page.getByText("Live", { exact: true }).waitFor();
    await aTicket({ invite: 1, language: "en" });
    await page.getByText("jane@customer.example").first().waitFor();
    await page.frameLocator("iframe").getByRole("link").first().waitFor();
    await page.getByRole("button", { name: "SMS" }).click();
    await page.getByText("No SMS yet").waitFor();
    await page.getByRole("button", { name: "Email", exact: true }).click();
    await page.getByText("jane@customer.example").first().waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await screenshots(page, "mailbox");
  });

  const clickTwice = `{ const older = document.getElementById("older"); older.click(); older.click(); }`;
  const rowsIn = (page: Page) =>
    page.evaluate<string[]>(
      "[...document.querySelectorAll('#list .row-link')].map(({ hash }) => hash)",
    );
  /** The answers to these requests, once they have arrived. */
  const answersTo = (page: Page, query: string) => {
    const answers: Response[] = [];
    page.on("response", (answer) => {
      if (answer.url().includes(query)) {
        answers.push(answer);
      }
    });
    return async (count: number): Promise<void> => {
      await eventually(() => expect(answers.length).to.equal(count));
      await Promise.all(answers.map((answer) => answer.finished()));
    };
  };

  it("shows each older request once, however often the button is pressed", async () => {
    await Promise.all(
      Array.from({ length: 60 }, () => fetch(platform.inboxUrl, { method: "POST", body: "{}" })),
    );
    const page = await browser.open();
    await page.goto(platform.inboxUrl);
    await page.getByRole("button", { name: "Show older" }).waitFor();
    const arrived = answersTo(page, "before=");
    await page.evaluate(clickTwice);
    await arrived(2);
    await eventually(async () => expect(await rowsIn(page)).to.have.length.above(59));
    const shown = await rowsIn(page);
    expect(new Set(shown).size).to.equal(shown.length);
  });

  it("shows each older message once, and only those of the chosen channel", async () => {
    await rowsOf(
      platform.db,
      `INSERT INTO messages (enterprise_id, channel, uid, recipient, text, status, provider, sent_at)
       SELECT ?, channel, gen_random_uuid(), 'someone', channel || ' ' || n, 'sent', 'dev', now()
       FROM generate_series(1, 60) n, unnest(ARRAY['sms', 'email']) channel`,
      [platform.enterpriseId],
    );
    const page = await browser.open();
    await page.goto(`${platform.url}/mailbox`);
    const sms = page.getByRole("button", { name: "SMS" });
    await page.getByRole("button", { name: "Show older" }).waitFor();
    const arrived = answersTo(page, "before=");
    await page.evaluate(clickTwice);
    await arrived(2);
    await eventually(async () => expect(await rowsIn(page)).to.have.length(100));
    expect(new Set(await rowsIn(page)).size).to.equal(100);
    const held: Route[] = [];
    await page.route("**/mailbox/messages?before=*", (route) => void held.push(route));
    await page.getByRole("button", { name: "Show older" }).click();
    await eventually(() => expect(held).to.have.length(1));
    await sms.click();
    await eventually(async () => expect(await rowsIn(page)).to.have.length(50));
    await held[0]?.continue();
    await arrived(3);
    expect(await rowsIn(page)).to.have.length(50);
  });

  it("says that a request has no body", async () => {
    const page = await browser.open();
    await fetch(platform.inboxUrl, { method: "POST" });
    await page.goto(platform.inboxUrl);
    await page.getByText("Other request").first().click();
    await page.getByText("no body", { exact: true }).waitFor();
  });

  it("is translated to French and fits on a phone, on all these pages", async () => {
    await aTicket({ invite: 1, language: "fr", lastname: "Castelnau-Montmirail de Saint-Étienne" });
    const forged = '{"object":"ticket","event":"create","objectId":1}';
    await fetch(platform.inboxUrl, { method: "POST", body: forged });
    const page = await browser.open({ language: "fr", viewport: phone });
    const takeScreenshot = async (name: string): Promise<void> => {
      expect(await page.locator("html").getAttribute("lang"), name).to.equal("fr");
      await seeFits(page, name);
      expect(await findBarriers(page), name).to.deep.equal([]);
      await screenshot(page, `${name}-french`);
    };
    await page.goto(platform.url);
    await page.getByText("Prêt", { exact: true }).waitFor();
    await page.getByRole("heading", { name: "Autres pages" }).waitFor();
    await page.getByRole("link", { name: "Messagerie de test" }).waitFor();
    await page.getByRole("button", { name: "Copier" }).first().click();
    await page.getByRole("button", { name: "Copié" }).waitFor();
    await takeScreenshot("home");

    await page.goto(platform.inboxUrl);
    await page.getByText("En direct", { exact: true }).waitFor();
    await takeScreenshot("inbox-list");
    await page.getByText("Non vérifiée").first().click();
    await page.getByText("Son expéditeur n’a pas le secret.").waitFor();
    await takeScreenshot("inbox");
    await page.getByRole("link", { name: "Toutes les requêtes" }).click();

    await page.goto(`${platform.url}/inbox/${"x".repeat(22)}`);
    await page.getByRole("heading", { name: "Cette boîte de réception n’existe pas" }).waitFor();
    await takeScreenshot("inbox-unknown");

    await page.goto(`${platform.url}/mailbox`);
    await page.getByText("jane@customer.example").first().waitFor();
    await takeScreenshot("mailbox-list");
    await page.getByText("jane@customer.example").first().click();
    await page.getByText("envoyé", { exact: true }).waitFor();
    await takeScreenshot("mailbox");
  });

  it("uses the language chosen in the console, whatever the browser's language", async () => {
    const page = await browser.open();
    await page.goto(platform.url);
    await page.getByText("Ready", { exact: true }).waitFor();
    await page.evaluate("localStorage.setItem('sightline.language', 'fr')");
    for (const [path, title] of [
      ["/", "L’assistance vidéo avec une seule API REST"],
      ["/mailbox", "Messagerie de test"],
      [new URL(platform.inboxUrl).pathname, "Boîte de réception"],
    ] as const) {
      await page.goto(`${platform.url}${path}`);
      await page.getByRole("heading", { name: title, exact: true }).waitFor();
      expect(await page.locator("html").getAttribute("lang")).to.equal("fr");
    }
  });

  it("keeps the colour scheme chosen in the console", async () => {
    const page = await browser.open();
    await page.goto(platform.url);
    const background = () =>
      page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    const light = await background();
    await page.evaluate("localStorage.setItem('mantine-color-scheme-value', 'dark')");
    await page.reload();
    expect(await background()).to.not.equal(light);
  });
});

describe("the API reference", function () {
  this.timeout(60_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();

  it("shows the API, finds an operation, and tries it with the session or a token", async () => {
    const page = await browser.open({ expectedErrors: [/status of 401/u] });
    await platform.signIn(page, admin);
    let loaded = 0;
    page.on("requestfinished", (request) => {
      void request.sizes().then(({ responseBodySize }) => {
        loaded += responseBodySize;
      });
    });
    await page.goto(`${platform.url}/api/docs`);
    const find = page.getByRole("searchbox", { name: "Search operations" });
    await find.fill("create ticket post /api/tickets");
    await page.getByRole("link", { name: /Create a ticket/u }).click();
    await page.getByRole("heading", { name: "Create a ticket" }).waitFor();
    await eventually(() => expect(loaded).to.be.within(20_000, 400_000));
    await page
      .getByLabel(/^Body/u)
      .fill(JSON.stringify({ agent: agent.login, email: "jane@example.com" }));
    await page.getByText("-X POST").getByText("jane@example.com").waitFor();
    await page.getByRole("button", { name: "Send request" }).click();
    const status = page.getByRole("status").getByText(/ in \d+ ms$/u);
    await status.waitFor();
    expect(await page.getByRole("status").last().innerText()).to.match(/^201 Created in/u);
    expect(await findBarriers(page)).to.deep.equal([]);
    await screenshots(page, "api-docs");
    await page.goto(`${platform.url}/api/docs#api.v3.tickets.get`);
    await page.getByRole("button", { name: "Send request" }).click();
    await page.getByText("Fill in ticketId.").waitFor();
    await page.getByLabel(/^ticketId/u).fill("1");
    await page.getByLabel(/^Access token/u).fill("no-such-token");
    await page.getByRole("button", { name: "Send request" }).click();
    await page.getByText(/^401 Unauthorized in/u).waitFor();
    await page.setViewportSize(phone);
    await seeFits(page);
    await page.getByRole("link", { name: "All operations" }).click();
    await find.waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
  });
});
