import { expect } from "chai";
import type { Page } from "playwright-core";
import { admin, useBrowserPlatform } from "../support/browser-platform.ts";
import { findBarriers, seeFits, phone, screenshots, useBrowser } from "../support/browser.ts";
import { aBusyMonth } from "../support/busy-month.ts";
import { eventually } from "../support/eventually.ts";
import type { RestClient } from "../support/rest-client.ts";

type Guest = { kind: string; email: string | null; phone: string | null; invited: string | null };

describe("the meetings pages", () => {
  const platform = useBrowserPlatform();
  const browser = useBrowser();

  let rest: RestClient;

  before("fill a month", async () => {
    await aBusyMonth(platform.db);
    rest = await platform.rest(admin);
  });

  const aMeeting = async (more: object = {}): Promise<{ id: number; short_url: string }> => {
    const startTime = new Date(Date.now() + 86_400_000).toISOString();
    const body = {
      participants: "jane.doe@example.com,+33612345678,paul@example.com",
      name: "Comité de pilotage : migration du réseau Île-de-France",
      ...{ invite: true, startTime, ...more },
    };
    const answer = await rest.succeed("POST /conferences", { body });
    return answer.body as { id: number; short_url: string };
  };

  const read = async (id: number): Promise<Record<string, unknown>> => {
    return (await rest.succeed(`GET /conferences/${id}`)).body;
  };

  const guestsOf = async (id: number): Promise<Guest[]> => {
    const { body } = await rest.succeed(`GET /conferences/${id}/participants?limit=100`);
    return (body["data"] as Guest[]).filter(({ kind }) => kind === "invited");
  };

  const idInAddress = (page: Page): number => Number(/\/meetings\/(\d+)/u.exec(page.url())?.[1]);

  /** Presses Tab until the focused element has this name. */
  const tabTo = async (page: Page, name: string): Promise<void> => {
    for (let steps = 0; steps < 60; steps += 1) {
      await page.keyboard.press("Tab");
      const focused = await page.evaluate<string>(
        `(() => { const e = document.activeElement;
          const label = e.labels?.[0]?.textContent ?? "";
          return e.getAttribute("aria-label") ?? (label || e.textContent); })()`,
      );
      if (focused.includes(name)) {
        return;
      }
    }
    throw new Error(`Nothing that is called ${name} can be reached by Tab`);
  };

  it("list meetings, filter by name and status, and keep that in the address", async () => {
    const page = await browser.open();
    await platform.signIn(page, admin, "/meetings");
    await page.getByRole("row").nth(5).waitFor();
    await screenshots(page, "meetings-list");
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole("searchbox", { name: "Search", exact: true }).last().fill("Daily");
    await page.waitForURL(/q=Daily/u);
    await page.getByRole("button", { name: "Status", exact: true }).click();
    await page.getByRole("checkbox", { name: "Ended" }).check();
    await page.waitForURL(/status=ended/u);
    await page.keyboard.press("Escape");
    await eventually(async () => {
      const names = await page.locator("tbody tr td:first-child").allInnerTexts();
      return names.length > 3 && names.every((name) => name === "Daily");
    });
    await page.reload();
    await page.getByRole("row", { name: /Daily/u }).first().waitFor();
    expect(await page.getByRole("searchbox", { name: "Search" }).last().inputValue()).to.equal(
      "Daily",
    );
  });

  it("plan a meeting by keyboard only, and show its links and codes", async () => {
    const page = await browser.open();
    await platform.signIn(page, admin, "/meetings");
    await page.getByRole("link", { name: "New meeting" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "New meeting" }).waitFor();
    await tabTo(page, "Guests");
    await page.keyboard.type("jane.doe@example.com,");
    await page.keyboard.type("+33 6 12 34 56 78");
    await page.keyboard.press("Enter");
    await tabTo(page, "Name");
    await page.keyboard.type("Quarterly review");
    await tabTo(page, "Guests wait until admitted");
    await page.keyboard.press("Space");
    await tabTo(page, "Schedule and invite 2 guests");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Quarterly review" }).waitFor();
    const made = await read(idInAddress(page));
    for (const key of ["url", "short_url"]) {
      await page.getByText(String(made[key]), { exact: true }).waitFor();
    }
    const code = String(made["sip_dtmf_code"]).replaceAll(/(\d{3})(?=\d)/gu, "$1 ");
    await page.getByText(code, { exact: true }).waitFor();
    const guests = await guestsOf(idInAddress(page));
    expect(guests.map(({ email, phone: number }) => email ?? number)).to.have.members([
      "jane.doe@example.com",
      "+33612345678",
    ]);
    await page.getByRole("button", { name: "Copy Short link" }).waitFor();
  });

  it("parse a pasted list, flag invalid contacts, and send only valid ones", async () => {
    const page = await browser.open();
    await platform.signIn(page, admin, "/meetings/new");
    const box = page.getByRole("textbox", { name: "Guests" });
    await box.focus();
    const pasted = "Jane Doe <jane@example.com>; paul@example.com\\n0612345678\\tno@where";
    await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.setData("text", "${pasted}");
      document.activeElement.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    })()`);
    await page.getByText("2 of them are not valid. Correct or remove them.").waitFor();
    await page.getByText(", country code missing").waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Schedule and invite 2 guests" }).click();
    await screenshots(page, "meetings-new-faults");
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(page.url()).to.match(/\/meetings\/new$/u);
    await page.getByRole("button", { name: "Remove 0612345678" }).click();
    await page.getByRole("button", { name: "Remove no@where" }).click();
    await page.getByRole("button", { name: "Schedule and invite 2 guests" }).click();
    await page.waitForURL(/\/meetings\/\d+$/u);
    const guests = await guestsOf(idInAddress(page));
    expect(guests.map(({ email }) => email)).to.have.members([
      "jane@example.com",
      "paul@example.com",
    ]);
  });

  it("show a validation error of the service at its field", async () => {
    const page = await browser.open();
    await platform.signIn(page, admin, "/meetings/new");
    await page.getByRole("textbox", { name: "Guests" }).fill("jane@example.com,");
    await page.getByRole("combobox", { name: "Moderator" }).fill("nobody@demo.example");
    await page.getByRole("button", { name: "Schedule and invite 1 guest" }).click();
    await page.getByRole("alert").waitFor();
    expect(page.url()).to.match(/\/meetings\/new$/u);
    await page.locator("[aria-invalid=true]").first().waitFor();
  });

  it("show a meeting, invite others, and cancel it with the number of notified guests", async () => {
    const { id } = await aMeeting();
    await eventually(async () => (await guestsOf(id)).every(({ invited }) => invited !== null));
    const page = await browser.open();
    await platform.signIn(page, admin, `/meetings/${id}`);
    await page.getByText("3 guests on the list, 3 invited.").waitFor();
    const join = page.getByRole("link", { name: "Join", exact: true });
    expect(await join.getAttribute("href")).to.equal((await read(id))["url"]);
    await page.getByText("Anyone with the link can join.").waitFor();
    await page.getByRole("textbox", { name: "Write a message" }).fill("Bonjour à tous");
    await page.keyboard.press("Enter");
    await page.getByText("Bonjour à tous").waitFor();
    await screenshots(page, "meeting");
    expect(await findBarriers(page)).to.deep.equal([]);

    await page.getByRole("button", { name: "Invite more guests" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Guests" }).fill("new@example.com,");
    await dialog.getByRole("button", { name: "Invite 1 guest" }).click();
    await page.getByText("4 guests on the list, 4 invited.").waitFor();

    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill("Renamed");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Renamed" }).waitFor();

    await page.getByRole("button", { name: "Remove paul@example.com" }).click();
    await page.getByRole("dialog").getByText("gets 1 cancellation").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("3 guests on the list, 3 invited.").waitFor();

    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Cancel meeting" }).click();
    await page.getByRole("dialog").getByText("3 invited guests").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel meeting" }).click();
    await page.getByText("Cancelled", { exact: true }).waitFor();
    expect((await read(id))["status"]).to.equal("cancelled");
    expect(await page.getByRole("button", { name: "Invite more guests" }).count()).to.equal(0);
  });

  it("send only what this user changed while a colleague changes the meeting", async () => {
    const { id } = await aMeeting();
    const page = await browser.open();
    await platform.signIn(page, admin, `/meetings/${id}`);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Duration").fill("45");
    await rest.succeed(`PATCH /conferences/${id}`, { body: { name: "Renamed by Paul" } });
    await page.locator("h1", { hasText: "Renamed by Paul" }).waitFor();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    const { name, start_time: start, end_time: end } = await read(id);
    const minutes = (Date.parse(String(end)) - Date.parse(String(start))) / 60_000;
    expect({ name, minutes }).to.deep.equal({ name: "Renamed by Paul", minutes: 45 });
  });

  it("remove a guest while a colleague removes another one", async () => {
    const { id } = await aMeeting();
    const page = await browser.open();
    await platform.signIn(page, admin, `/meetings/${id}`);
    await page.getByRole("button", { name: "Remove paul@example.com" }).click();
    const body = { participants: "jane.doe@example.com,paul@example.com" };
    await rest.succeed(`PATCH /conferences/${id}`, { body });
    await page.getByText("2 guests on the list").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("1 guest on the list").waitFor();
    expect((await guestsOf(id)).map(({ email }) => email)).to.deep.equal(["jane.doe@example.com"]);
  });

  it("end a running meeting for everyone", async () => {
    const { id } = await aMeeting();
    await platform.db("conferences").where({ id }).update({ status: "ongoing" });
    const page = await browser.open();
    await platform.signIn(page, admin, `/meetings/${id}`);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "End for everyone" }).click();
    await page.getByRole("dialog").getByText("No one is in the room.").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "End for everyone" }).click();
    await page.getByText("Ended", { exact: true }).waitFor();
    expect((await read(id))["status"]).to.equal("ended");
  });

  it("show the participants of a meeting, in French on a phone and in dark mode", async () => {
    const ended = await platform
      .db("conferences")
      .where({ enterprise_id: platform.enterpriseId, status: "ended", name: "Daily" })
      .first("id");
    const page = await browser.open({ language: "fr", viewport: phone, colors: "dark" });
    await platform.signIn(page, admin, `/meetings/${(ended as { id: number }).id}`);
    await page.getByText("Présences").first().waitFor();
    await page.getByText("Organisateur").first().waitFor();
    const timeline = page.getByRole("list", { name: "Historique" });
    await timeline.getByText("Arrivée de Jean-Baptiste Poquelin").first().waitFor();
    await page.getByRole("region", { name: "Sessions" }).getByText("facturées").waitFor();
    await seeFits(page);
    await screenshots(page, "meeting-fr-dark");
    await page.setViewportSize({ width: 320, height: 640 });
    await seeFits(page);
    await page.goto(`${platform.url}/meetings/new`);
    await page.getByRole("heading", { name: "Nouvelle réunion" }).waitFor();
    await seeFits(page);
    expect(await findBarriers(page)).to.deep.equal([]);
  });
});
