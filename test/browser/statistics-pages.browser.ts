import { readFile } from "node:fs/promises";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { addDays, dayIn, startOfDay } from "../../web/console/statistics/days.ts";
import { admin, useBrowserPlatform } from "../support/browser-platform.ts";
import { eventually } from "../support/eventually.ts";
import { findBarriers, seeFits, phone, screenshots, useBrowser } from "../support/browser.ts";
import { aBusyMonth } from "../support/busy-month.ts";

type Row = Record<string, string | number | null>;

describe("the statistics pages", () => {
  const platform = useBrowserPlatform();
  const browser = useBrowser();
  let rows: Row[] = [];
  /** The last 30 days in the enterprise's time zone, where midnight differs from UTC. */
  let period = { since: "", until: "", timeZone: "" };

  const readRows = async (since: string, until: string): Promise<Row[]> => {
    const rest = await platform.rest(admin);
    const { body } = await rest.succeed(
      `GET /enterprises/${platform.enterpriseId}/tickets-stats?since=${since}&until=${until}`,
    );
    return body as unknown as Row[];
  };

  before("fill a month", async () => {
    await aBusyMonth(platform.db);
    const rest = await platform.rest(admin);
    const { body } = await rest.succeed(`GET /enterprises/${platform.enterpriseId}`);
    const timeZone = String(body["time_zone"]);
    const until = dayIn(timeZone, new Date());
    period = { since: addDays(until, -29), until, timeZone };
    rows = await readRows(period.since, period.until);
  });

  const tile = async (page: Page, name: string): Promise<string> => {
    const term = page.getByRole("term").filter({ hasText: new RegExp(`^${name}$`, "u") });
    return (await term.locator("xpath=..").locator("dd span").first().innerText()).trim();
  };

  const sum = (key: string): number => rows.reduce((total, row) => total + Number(row[key]), 0);

  it("open in a browser whose language is not a locale", async () => {
    const page = await browser.open();
    // The value that Chromium reports if the system has no language.
    await page.addInitScript(`for (const [name, value] of [
      ["language", "en-US@posix"], ["languages", ["en-US@posix"]],
    ]) Object.defineProperty(navigator, name, { value, configurable: true })`);
    await platform.signIn(page, admin, "/statistics");
    await page.getByRole("heading", { name: "Statistics", level: 1 }).waitFor();
    await page.locator(".uplot").first().waitFor();
  });

  it("show the same numbers as the day export for the last 30 days", async () => {
    const page = await browser.open();
    const bodies: Promise<number>[] = [];
    page.on("response", (response) => {
      if (new URL(response.url()).pathname.startsWith("/api/")) {
        bodies.push(response.body().then(({ length }) => length));
      }
    });
    await platform.signIn(page, admin, "/statistics");
    await page.getByText("Tickets created").first().waitFor();
    await page.getByRole("slider", { name: "Tickets created" }).waitFor();
    expect(rows.length).to.be.greaterThan(200);
    expect(await tile(page, "Tickets created")).to.equal(String(rows.length));
    expect(await tile(page, "Invitations")).to.equal(String(sum("Nombre d'invitations")));
    expect(await tile(page, "Calls")).to.equal(String(sum("Nombre Appels")));
    expect(await tile(page, "Files")).to.equal(String(sum("Photos") + sum("Vidéos")));
    await page.getByRole("table", { name: "Day export" }).waitFor();
    const loaded = (await Promise.all(bodies)).reduce((total, size) => total + size, 0);
    expect(loaded).to.be.lessThan(100_000);
    await screenshots(page, "statistics-tickets");
    expect(await findBarriers(page)).to.deep.equal([]);
  });

  it("download the period as the service exports it, with French keys", async () => {
    const page = await browser.open();
    await platform.signIn(page, admin, "/statistics?period=week");
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download period as CSV" }).click();
    const file = await download;
    expect(file.suggestedFilename()).to.match(/^tickets-stats-.+-.+\.csv$/u);
    const text = await readFile(await file.path(), "utf8");
    const [since, until] = /(\d{4}-\d{2}-\d{2})-(\d{4}-\d{2}-\d{2})/u
      .exec(file.suggestedFilename())
      ?.slice(1) ?? ["", ""];
    const expected = await readRows(String(since), String(until));
    const lines = text.split("\r\n");
    expect(lines[0]).to.equal(`\uFEFF${Object.keys(expected[0] ?? {}).join(";")}`);
    const ids = lines.slice(1, -1).map((line) => Number(line.split(";")[0]));
    expect(ids).to.deep.equal(expected.map(({ ID }) => ID));
  });

  it("show the exported rows of a day, and of any other day of the period", async () => {
    const page = await browser.open();
    await platform.signIn(page, admin, "/statistics");
    await page.getByRole("button", { name: "Previous day" }).click();
    await eventually(() => expect(page.url()).to.match(/day=\d{4}-\d{2}-\d{2}/u));
    const day = new URL(page.url()).searchParams.get("day") ?? "";
    const expected = await readRows(day, day);
    const table = page.getByRole("table", { name: "Day export" });
    await table.getByRole("cell", { name: String(expected[0]?.["ID"]), exact: true }).waitFor();
    expect(await table.locator("thead th").allInnerTexts()).to.deep.equal(
      Object.keys(expected[0] ?? {}),
    );
    expect(await table.locator("tbody tr").count()).to.equal(expected.length);
  });

  it("make charts accessible by keyboard, screen reader and table", async () => {
    const page = await browser.open();
    await platform.signIn(page, admin, "/statistics");
    const chart = page.getByRole("figure", { name: "Calls", exact: true });
    const walk = chart.getByRole("slider", { name: "Calls", exact: true });
    await walk.focus();
    await page.keyboard.press("Home");
    const first = await walk.getAttribute("aria-valuetext");
    await page.keyboard.press("ArrowRight");
    expect(await walk.getAttribute("aria-valuetext")).not.to.equal(first);
    const texts = /Calls (\d+)/u.exec((await walk.getAttribute("aria-valuetext")) ?? "")?.[1];
    await chart.getByRole("button", { name: "Show as table" }).click();
    const cells = await chart.locator("tbody td:last-child").allInnerTexts();
    expect(cells.length).to.be.greaterThan(28);
    expect(cells.at(-2)?.replace(/\D/gu, "")).to.equal(texts);
    expect(cells.reduce((total, cell) => total + Number.parseInt(cell, 10), 0)).to.equal(
      sum("Nombre Appels"),
    );
    await chart.getByRole("button", { name: "Show as chart" }).click();
    const french = await browser.open({ language: "fr" });
    await platform.signIn(french, admin, "/statistics");
    const point = french.getByRole("slider").first();
    await point.waitFor();
    expect(await point.getAttribute("aria-valuetext")).to.match(/[^\s\u00A0]\u00A0: /u);
  });

  it("count sessions, participants and billed minutes, and open one", async () => {
    const rest = await platform.rest(admin);
    const since = startOfDay(period.since, period.timeZone).toISOString();
    const { body } = await rest.succeed(
      `GET /sessions?limit=1000&since=${since}&until=${new Date().toISOString()}`,
    );
    const sessions = body["data"] as {
      billing_duration: number;
      total_participant_count: number;
    }[];
    const page = await browser.open();
    await platform.signIn(page, admin, "/statistics?tab=meetings");
    await page.getByRole("slider", { name: "Billed time" }).waitFor();
    expect(await tile(page, "Sessions")).to.equal(String(sessions.length));
    const people = sessions.reduce((total, one) => total + one.total_participant_count, 0);
    expect(await tile(page, "Participants")).to.equal(String(people));
    const minutes = sessions.reduce((total, one) => total + one.billing_duration, 0) / 60;
    expect(await tile(page, "Billed")).to.equal(`${minutes.toLocaleString("en-GB")} min`);
    await screenshots(page, "statistics-sessions");
    expect(await findBarriers(page)).to.deep.equal([]);
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download as CSV" }).click();
    const text = await readFile(await (await download).path(), "utf8");
    expect(text.split("\r\n").length).to.equal(sessions.length + 2);
    await page.locator("tbody tr").first().click();
    await page.getByRole("dialog").getByText("Jean-Baptiste Poquelin").first().waitFor();
    expect(page.url()).to.match(/session=/u);
  });

  it("show quotas and their usage", async () => {
    await platform.db("enterprises").where({ id: platform.enterpriseId }).update({ max_users: 10 });
    const rest = await platform.rest(admin);
    const { body } = await rest.succeed(`GET /enterprises/${platform.enterpriseId}/quota`);
    const users = body["users"] as { used: number; max: number };
    const page = await browser.open();
    await platform.signIn(page, admin, "/statistics?tab=use");
    await page.getByText(`${users.used} of ${users.max}`).waitFor();
    await screenshots(page, "statistics-use");
    expect(await findBarriers(page)).to.deep.equal([]);
  });

  it("reject a period that is too long, without a request", async () => {
    const page = await browser.open();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const path = "/statistics?period=custom&since=2026-01-01&until=2026-11-01";
    await platform.signIn(page, admin, path);
    await page.getByRole("alert").getByText("Choose at most 92 days.").waitFor();
    expect(asked.filter((url) => url.includes("tickets-stats"))).to.deep.equal([]);
  });

  it("take a day that is typed on the keyboard", async () => {
    const page = await browser.open();
    const path = "/statistics?period=custom&since=2026-11-10&until=2026-11-20";
    await platform.signIn(page, admin, path);
    await page.getByLabel("From", { exact: true }).focus();
    await page.keyboard.type("11052026");
    await page.keyboard.press("Enter");
    await page.waitForURL(/since=2026-11-05&until=2026-11-20/u);
  });

  it("are translated to French, and fit on a phone in dark mode", async () => {
    const page = await browser.open({ language: "fr", viewport: phone, colors: "dark" });
    await platform.signIn(page, admin, "/statistics");
    await page.getByRole("slider", { name: "Tickets créés" }).waitFor();
    await seeFits(page);
    await screenshots(page, "statistics-fr-dark");
    await page.setViewportSize({ width: 320, height: 640 });
    await seeFits(page);
    expect(await findBarriers(page)).to.deep.equal([]);
  });
});
