import { expect } from "chai";
import type { Locator, Page } from "playwright-core";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { admin, agent, useOwnPlatform } from "../support/browser-platform.ts";
import {
  findBarriers,
  seeFits,
  phone,
  screenshots,
  useBrowser,
  type OpenOptions,
} from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";

describe("the platform pages", () => {
  const platform = useOwnPlatform();
  const browser = useBrowser();

  const setRole = (role: "admin" | "superadmin") =>
    rowsOf(platform.db, "UPDATE users SET role = ? WHERE login = ?", [role, admin.login]);

  before("make a superadministrator", () => setRole("superadmin"));

  const open = async (path: string, options: OpenOptions = {}): Promise<Page> => {
    const page = await browser.open(options);
    await platform.signIn(page, admin, path);
    return page;
  };

  const part = (page: Page, name: string) => page.getByRole("listitem").filter({ hasText: name });

  it("show that every component is healthy, with every queue and pass", async () => {
    const page = await open("/platform");
    await page.getByText("All components are working.").waitFor();
    expect(await page.getByRole("listitem").filter({ hasText: "OK" }).count()).to.equal(8);
    for (const name of ["Tickets", "SMS", "Timers", "Media"]) {
      await page.getByRole("rowheader", { name }).first().waitFor();
    }
    await page.getByText(/^\d\d passes OK$/u).waitFor();
    expect(await page.getByRole("rowheader", { name: /Enqueue due deliveries/u }).count()).to.equal(
      0,
    );
    await page.getByRole("button", { name: "Show all" }).click();
    await page.getByRole("rowheader", { name: /Enqueue due deliveries/u }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await screenshots(page, "platform-well");
  });

  it("show how many jobs enter and leave each queue per minute", async () => {
    await rowsOf(
      platform.db,
      `INSERT INTO queue_tallies (at, object, made, delivered, failed)
       SELECT to_timestamp(floor(extract(epoch FROM now()) / 10) * 10 + n * 10), object, made,
         delivered, failed
       FROM generate_series(-8, 6) AS n,
         (VALUES ('ticket', 120, 118, 2), ('media', 1, 0, 1)) AS t(object, made, delivered, failed)
       ON CONFLICT (at, object) DO UPDATE SET made = excluded.made,
         delivered = excluded.delivered, failed = excluded.failed`,
    );
    const page = await open("/platform");
    await page.getByText(/1m average up to \d\d:\d\d:\d\d/u).waitFor();
    const queues = page.getByRole("table", { name: "Delivery queues" });
    const tickets = queues.getByRole("row").filter({ hasText: "deliver.ticket" });
    await eventually(async () => (await tickets.innerText()).includes("12/s"), {
      timeoutMs: 20_000,
      everyMs: 500,
    });
    const media = queues.getByRole("row").filter({ hasText: "deliver.media" });
    expect(await media.innerText()).to.match(/6\/min/u);
    await screenshots(page, "platform-rates");
    await rowsOf(platform.db, "DELETE FROM queue_tallies");
    await eventually(async () => !(await tickets.innerText()).includes("12/s"), {
      timeoutMs: 20_000,
      everyMs: 500,
    });
  });

  /** The cells of a table row, by column name. */
  const cellsOf = async (table: Locator, name: string): Promise<Record<string, string>> => {
    const heads = await table.getByRole("columnheader").allInnerTexts();
    const row = table.getByRole("row").filter({ hasText: name });
    const cells = await row.locator("th, td").allInnerTexts();
    return Object.fromEntries(heads.map((head, at) => [head.trim(), cells[at]?.trim() ?? ""]));
  };

  it("show the jobs of each queue by state, and failures in red", async () => {
    const page = await browser.open();
    const jobs = { waiting: 1_311, active: 12, delayed: 13, failed: 14, workers: 15 };
    await page.route("**/api/platform/queues", async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as Record<"deliveries" | "queues", { queue: string }[]>;
      for (const queue of [...body.deliveries, ...body.queues]) {
        if (["deliver.media", "task.messages"].includes(queue.queue)) {
          Object.assign(queue, { ...jobs, oldest_waiting_seconds: 200 });
        }
      }
      await route.fulfill({ response, json: body });
    });
    await platform.signIn(page, admin, "/platform");
    const notified = {
      ...{ Waiting: "1,311", Active: "12", Delayed: "13", "Failed jobs": "14", Workers: "15" },
      Oldest: "3m 20s",
    };
    const queues = page.getByRole("table", { name: "Delivery queues" });
    await queues.getByText("1,311").waitFor();
    expect(await cellsOf(queues, "deliver.media")).to.include(notified);
    expect(await cellsOf(queues, "deliver.ticket")).to.include({
      Waiting: "0",
      "Failed jobs": "0",
    });
    const tasks = page.getByRole("table", { name: "Task queues" });
    expect(await cellsOf(tasks, "task.messages")).to.include(notified);
    const red = queues.locator("[data-bad]");
    expect(await red.allInnerTexts()).to.deep.equal(["14"]);
    await screenshots(page, "platform-jobs");
  });

  it("show a failing component and its runbook section without a reload", async () => {
    const page = await open("/platform");
    await page.getByText("All components are working.").waitFor();
    await rowsOf(
      platform.db,
      `INSERT INTO outbox_dead (event_row_id, occurred_at, enterprise_id, reason)
       SELECT n, now(), 1, 'no such object kind: tickit' FROM generate_series(900001, 900003) AS n`,
    );
    const relay = part(page, "Relay");
    await relay.getByText("3 events could not be turned into deliveries").waitFor();
    await relay.getByText("Failing", { exact: true }).waitFor();
    await relay.getByText("no such object kind: tickit").waitFor();
    await relay.getByText(/requeue them/u).waitFor();
    await page.getByText("One component needs attention.").waitFor();
    expect(await page.getByRole("listitem").first().innerText()).to.contain("Relay");
    expect(await findBarriers(page)).to.deep.equal([]);
    await screenshots(page, "platform-failing");
    await relay.getByRole("link", { name: /step by step: “Dead letters”/u }).click();
    const steps = page.getByRole("dialog");
    await steps
      .getByText("INSERT INTO outbox (event_row_id, occurred_at, enterprise_id)")
      .waitFor();
    expect(new URL(page.url()).searchParams.get("runbook")).to.equal("dead-letters");
    expect(await findBarriers(page)).to.deep.equal([]);
    await screenshots(page, "platform-runbook");
    await page.keyboard.press("Escape");
    await steps.waitFor({ state: "hidden" });
    await rowsOf(platform.db, "DELETE FROM outbox_dead");
    await page.getByText("All components are working.").waitFor();
  });

  it("are complete in French, in dark mode and on a phone", async () => {
    const page = await open("/platform", { language: "fr", colors: "dark", viewport: phone });
    await page.getByText("Tous les composants fonctionnent.").waitFor();
    await seeFits(page);
    expect(await findBarriers(page)).to.deep.equal([]);
    await screenshots(page, "platform-fr-dark");
    await page.goto(`${platform.url}/platform/enterprises`);
    await page.getByRole("button", { name: "Nouvelle entreprise" }).click();
    const form = page.getByRole("form", { name: "Nouvelle entreprise" });
    await form.getByText("Configure tout le reste").waitFor();
    await seeFits(page, "the enterprises");
    expect(await findBarriers(page), "the enterprises").to.deep.equal([]);
    await screenshots(page, "platform-enterprises-fr-dark");
  });

  it("create an enterprise with its first administrator, who can sign in", async () => {
    const page = await open("/platform/enterprises");
    await page.getByRole("button", { name: "New company" }).click();
    const form = page.getByRole("form", { name: "New company" });
    await form.getByRole("textbox", { name: "Name", exact: true }).fill("Assurances Générales");
    await form.getByRole("textbox", { name: "Login" }).fill("claire.martin");
    await form.getByRole("button", { name: "Create" }).click();
    await form.getByText("Enter an email address for the link, or a password.").waitFor();
    await form.getByLabel("Password", { exact: true }).fill("Correct-horse-9");
    await screenshots(page, "platform-new-enterprise");
    await form.getByRole("button", { name: "Create" }).click();
    await page.getByText("Assurances Générales was created").waitFor();
    const first = await browser.open();
    await platform.signIn(first, { login: "claire.martin", password: "Correct-horse-9" });
  });

  it("change quotas, the manager and the switch of the solution", async () => {
    const rest = await platform.rest(admin);
    const body = {
      name: "Secours Routier",
      admin: { login: "r@s.example", password: "Correct-horse-9" },
    };
    const { body: made } = await rest.succeed("POST /enterprises", { body });
    const page = await open("/platform/enterprises");
    await page.getByRole("searchbox", { name: "Search companies" }).fill("routier");
    await page.getByRole("row").filter({ hasText: "Secours Routier" }).click();
    const form = page.getByRole("form", { name: "Company" });
    await form.getByLabel("Maximum users").fill("25");
    await form.getByLabel("Maximum storage").fill("2.5");
    await form.getByRole("combobox", { name: "Managed by" }).click();
    await page.getByRole("option", { name: "Demo" }).click();
    await form.getByRole("switch", { name: "Solution enabled" }).click();
    await form.getByText(/no one in Secours Routier can use/u).waitFor();
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    const { body: saved } = await rest.succeed(`GET /enterprises/${String(made["id"])}`);
    expect(saved).to.deep.include({
      solution_enabled: false,
      managed_by: 1,
      quotas: { max_users: 25, max_media_bytes: 2_500_000_000, max_sms_per_day: 500 },
    });
    const row = page.getByRole("row").filter({ hasText: "Secours Routier" });
    await row.getByText("Demo").waitFor();
    await row.getByText("Disabled", { exact: true }).waitFor();
    await screenshots(page, "platform-enterprises");
    expect(await findBarriers(page)).to.deep.equal([]);
  });

  it("are hidden from other roles", async () => {
    const page = await browser.open();
    await platform.signIn(page, agent, "/platform");
    await page.getByText("Operators only").waitFor();
    expect(await page.getByRole("link", { name: "Platform" }).count()).to.equal(0);
    const own = await open("/tickets");
    await own.getByRole("link", { name: "Platform" }).waitFor();
  });

  it("mark their data as outdated while the platform is down, and recover", async () => {
    const page = await open("/platform");
    await page.getByText("All components are working.").waitFor();
    await platform.restart(() => page.getByText("The platform is not responding").waitFor());
    await eventually(
      async () => (await page.getByText("The platform is not responding").count()) === 0,
      { timeoutMs: 15_000 },
    );
  });
});
