import { expect } from "chai";
import type { Locator, Page } from "playwright-core";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { admin, agent } from "../support/browser-platform.ts";
import { findBarriers, seeFits, phone, screenshot, screenshots } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { otherAgent, useTicketsConsole } from "../support/tickets-console.ts";
import { press } from "./keyboard.ts";
import { isNight } from "../support/night.ts";

function searchOf(page: Page): Record<string, string> {
  return Object.fromEntries(new URL(page.url()).searchParams);
}

describe("the filters of the ticket list", function () {
  // Browser tests are slow on busy machines.
  this.timeout(120_000);
  const { platform, create, stateIs, open } = useTicketsConsole();

  it("are usable by keyboard only, and each describes its values", async () => {
    const nickname = "Second Agent";
    await rowsOf(platform.db, "UPDATE users SET nickname = ? WHERE login = ?", [
      nickname,
      otherAgent.login,
    ]);
    const theirs = await create({ agent: otherAgent.login, reference: "PILL-1" });
    await stateIs(theirs.id, "expired");
    const page = await open(admin, "/tickets");
    const bar = page.getByRole("group", { name: "Filters" });
    const pill = (name: string, value = "") =>
      bar.getByRole("button", { name: new RegExp(`^${name}\\s*${value}$`, "u") });
    const box = page.getByRole("dialog");
    const hasFocus = (wanted: Locator) => page.locator(":focus").and(wanted).waitFor();
    const states = () =>
      page.evaluate<string[]>(
        '[...document.querySelectorAll("td [data-state]")].map((one) => one.dataset.state)',
      );

    await press(page, pill("Status"));
    await hasFocus(box.getByRole("checkbox", { name: "New" }));
    await press(page, box.getByRole("checkbox", { name: "Declined" }), "Space");
    await press(page, box.getByRole("checkbox", { name: "Expired" }), "Space");
    await eventually(async () =>
      expect([...new Set(await states())]).to.have.members(["declined", "expired"]),
    );
    await screenshots(page, "tickets-pill-state");
    expect(await findBarriers(page)).to.deep.equal([]);
    await hasFocus(box.getByRole("checkbox", { name: "Expired" }));
    await page.keyboard.press("Escape");
    await box.waitFor({ state: "detached" });
    await hasFocus(pill("Status", "Declined, Expired"));

    await press(page, pill("Agent"));
    await hasFocus(box.getByRole("textbox", { name: "Search" }));
    await page.keyboard.type("nobody of this name");
    await box.getByText("No active agent has this name").waitFor();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("second");
    await eventually(async () => (await box.getByRole("option").count()) === 1);
    await screenshot(page, "tickets-pill-agent");
    expect(await findBarriers(page)).to.deep.equal([]);
    await press(page, box.getByRole("option", { name: nickname }));
    await box.waitFor({ state: "detached" });
    await hasFocus(pill("Agent", nickname));
    await eventually(async () => expect(await states()).to.deep.equal(["expired"]));

    const search = { state: "declined,expired", agent: otherAgent.login };
    await page.reload();
    await pill("Status", "Declined, Expired").waitFor();
    await pill("Agent", nickname).waitFor();
    expect(searchOf(page)).to.deep.equal(search);
    await eventually(async () => expect(await states()).to.deep.equal(["expired"]));
    await press(page, bar.getByRole("button", { name: "Remove: Status" }));
    await hasFocus(pill("Status"));
    expect(searchOf(page)).to.deep.equal({ agent: otherAgent.login });

    await press(page, pill("Period"));
    await hasFocus(box.getByLabel("From"));
    await page.keyboard.type("01012030");
    await press(page, box.getByLabel("To"), "Escape");
    await pill("Period", "from 1 Jan 2030").waitFor();
    await page.getByText("No tickets match").waitFor();
    expect(searchOf(page)).to.deep.equal({ agent: otherAgent.login, since: "2030-01-01" });
    await bar.getByRole("button", { name: "Remove: Period" }).click();
    await bar.getByRole("button", { name: "Remove: Agent" }).click();
    await eventually(async () => (await states()).length === 50);
    expect(searchOf(page)).to.deep.equal({});
  });

  it("filter by service, and sort, as the address says", async () => {
    const page = await open(admin, "/tickets?until=2020-01-31&since=2020-01-01");
    const bar = page.getByRole("group", { name: "Filters" });
    await bar.getByRole("button", { name: /^Period\s*1 Jan 2020 – 31 Jan 2020$/u }).waitFor();
    await page.getByText("No tickets match").waitFor();
    await bar.getByRole("button", { name: /^Period/u }).click();
    await page.getByRole("dialog", { name: "Period" }).locator(":focus").waitFor();
    await screenshot(page, "tickets-pill-period");
    await page.keyboard.press("Escape");
    await bar.getByRole("button", { name: "Clear all" }).click();
    const table = page.getByRole("table", { name: "Tickets" });
    await table.getByText("CRM-2026-4756").waitFor();
    await bar.getByRole("button", { name: "Service", exact: true }).click();
    const service = page.getByRole("dialog", { name: "Service" }).getByRole("option").first();
    const name = await service.innerText();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.locator(":focus").and(service).waitFor();
    await page.keyboard.press("Enter");
    await bar.getByRole("button", { name: new RegExp(`^Service\\s*${name}$`, "u") }).waitFor();
    const [found] = await rowsOf<{ service_key: string }>(
      platform.db,
      "SELECT service_key FROM services WHERE name = ? AND enterprise_id = ?",
      [name, platform.enterpriseId],
    );
    await bar.getByRole("combobox", { name: "Sort by" }).selectOption("Oldest first");
    await page.waitForURL(/sort=oldest/u);
    expect(searchOf(page)).to.deep.equal({ service: found?.service_key, sort: "oldest" });
    await table.getByText("CRM-2026-4700").waitFor();
    await page.reload();
    await bar.getByRole("button", { name: new RegExp(`^Service\\s*${name}$`, "u") }).waitFor();
    await table.getByText("CRM-2026-4700").waitFor();
  });

  it("keep the keyboard focus in the field while its pill is scrolled out of view", async () => {
    const page = await open(admin, "/tickets");
    await page.getByText("CRM-2026-4756").waitFor();
    const pill = page.getByRole("button", { name: "Status", exact: true });
    await pill.click();
    const box = page.getByRole("dialog", { name: "Status" });
    const focused = page.locator(":focus").and(box.getByRole("checkbox", { name: "New" }));
    await focused.waitFor();
    await page.evaluate("window.scrollTo(0, document.body.scrollHeight)");
    // Waits for two frames: after the first one, the box has the new position of its pill.
    await page.evaluate(
      "new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))",
    );
    await focused.waitFor();
    await page.keyboard.press("Escape");
    await box.waitFor({ state: "detached" });
  });

  it("offer only the own agents to users who see no others", async () => {
    await create({ reference: "OWN-1" });
    const page = await open(agent, "/tickets");
    await page.getByRole("button", { name: "Agent", exact: true }).click();
    await page.getByRole("option", { name: "Mine" }).click();
    await page.getByRole("button", { name: /^Agent\s*Mine$/u }).waitFor();
    expect(searchOf(page)).to.deep.equal({ agent: agent.login });
    await page.getByRole("table", { name: "Tickets" }).getByText("OWN-1").waitFor();
  });

  if (isNight) {
    it("fit on a phone, in French and dark mode", async () => {
      const page = await open(agent, "/settings/profile", {
        ...{ viewport: phone, language: "fr", colors: "dark" },
      });
      await page.goto(`${platform.url}/tickets`);
      await page.getByRole("list", { name: "Tickets" }).waitFor();
      await page.getByRole("button", { name: "État", exact: true }).click();
      const box = page.getByRole("dialog", { name: "État" });
      await box.getByRole("checkbox", { name: "Pris en charge" }).check();
      await box.getByRole("checkbox", { name: "En cours" }).check();
      await box.getByRole("checkbox", { name: "Mis à jour" }).check();
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 700 });
        for (const when of ["open", "closed"]) {
          await seeFits(page, String(width));
          expect(await findBarriers(page)).to.deep.equal([]);
          await screenshot(page, `tickets-filters-fr-${width}-${when}`);
          await page.getByRole("button", { name: /^État/u }).click();
        }
      }
      await page.setViewportSize(phone);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Retirer : État" }).click();
      await page.waitForURL((url) => url.search === "");
    });
  }
});
