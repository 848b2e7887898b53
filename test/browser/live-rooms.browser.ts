import { expect } from "chai";
import { admin, agent, useBrowserPlatform } from "../support/browser-platform.ts";
import {
  findBarriers,
  phone,
  screenshot,
  screenshots,
  seeFits,
  useBrowser,
} from "../support/browser.ts";
import { acceptInvitation, meetingToken, staffToken } from "../support/call-customer.ts";
import type { RestClient } from "../support/rest-client.ts";
import { closeClients, joinCall } from "../support/signalling.ts";

/** The interval in which the page requests the list. */
const listEveryMs = 5_000;

describe("the live rooms of the console", function () {
  this.timeout(120_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();
  let rest: RestClient;
  before(async () => {
    rest = await platform.rest(admin);
  });
  afterEach(closeClients);

  /** A ticket with agent and customer in the call. */
  const aTicketCall = async (reference: string) => {
    const { body } = await rest.succeed("POST /tickets", {
      body: {
        ...{ agent: agent.login, email: "jane@customer.example", invite: 1, reference },
        ...{ firstname: "Maximilian-Alexander", lastname: "von Hohenstein" },
      },
    });
    const id = Number(body["id"]);
    const staff = await joinCall(platform, await staffToken(await platform.rest(agent), id));
    const token = await acceptInvitation(platform.url, String(body["requestor_url"]));
    return { id, staff, customer: await joinCall(platform, token) };
  };

  const aMeetingCall = async (name: string, guests: readonly string[]) => {
    const body = { name, participants: "nia@customer.example" };
    const meeting = (await rest.succeed("POST /conferences", { body })).body;
    const clients = [];
    for (const guest of guests) {
      const token = await meetingToken(platform.url, String(meeting["url"]), guest);
      clients.push(await joinCall(platform, token));
    }
    return { id: Number(meeting["id"]), clients };
  };

  it("show who is in a call, and their connection quality", async () => {
    const page = await browser.open();
    await page.clock.install();
    const skipInterval = () => page.clock.fastForward(listEveryMs);
    await platform.signIn(page, admin, "/rooms");
    await page.getByText("No calls right now").waitFor();
    const call = await aTicketCall("CRM-2026-4711");
    const meeting = await aMeetingCall("Comité de pilotage : migration du réseau", ["Ann", "Ben"]);
    await skipInterval();
    const ticketRow = page.getByRole("row", { name: /CRM-2026-4711/u });
    await ticketRow.getByText("Customer", { exact: true }).waitFor();
    expect(await ticketRow.getByText("Good", { exact: true }).count()).to.equal(2);
    await call.customer.ask("state", { quality: "poor" });
    await call.staff.ask("state", { isRecording: true });
    await skipInterval();
    await ticketRow.getByText("Poor", { exact: true }).waitFor();
    await ticketRow.getByText("Recording", { exact: true }).waitFor();
    await ticketRow.getByText("Direct", { exact: true }).waitFor();
    const watch = ticketRow.getByRole("button", { name: "Join as supervisor" });
    await watch.focus();
    await page
      .getByRole("tooltip")
      .getByText(/LiveKit, which is not configured/u)
      .waitFor();
    expect(await watch.getAttribute("aria-disabled")).to.equal("true");
    const meetingRow = page.getByRole("row", { name: /Comité de pilotage/u });
    await meetingRow.getByText("Ben", { exact: true }).waitFor();
    await screenshots(page, "live-rooms");
    expect(await findBarriers(page)).to.deep.equal([]);
    await meeting.clients[1]?.ask("leave");
    await skipInterval();
    await meetingRow.getByText("Ben", { exact: true }).waitFor({ state: "detached" });
    await call.staff.ask("end");
    await skipInterval();
    await ticketRow.waitFor({ state: "detached" });
    await meetingRow.getByRole("link", { name: /Comité de pilotage/u }).click();
    await page.waitForURL(new RegExp(`/meetings/${meeting.id}$`, "u"));
  });

  it("fit on the phone of a manager, in French", async () => {
    await aTicketCall("CRM-2026-4714");
    const page = await browser.open({ language: "fr", viewport: phone });
    await platform.signIn(page, admin, "/rooms");
    const row = page.getByRole("row", { name: /CRM-2026-4714/u });
    await row.getByRole("button", { name: "Rejoindre comme superviseur" }).waitFor();
    await seeFits(page);
    await screenshot(page, "live-rooms-fr-phone");
  });

  it("show agents only their own, in French and dark mode", async () => {
    await aMeetingCall("Not theirs", ["Ann"]);
    await aTicketCall("CRM-2026-4712");
    const page = await browser.open({ language: "fr", colors: "dark" });
    await platform.signIn(page, agent, "/tickets");
    await page.getByRole("link", { name: "Salles en direct" }).click();
    await page.getByRole("heading", { name: "Salles en direct" }).waitFor();
    await page.getByRole("row", { name: /CRM-2026-4712/u }).waitFor();
    expect(await page.getByText("Not theirs").count()).to.equal(0);
    expect(await page.getByRole("button", { name: /superviseur/u }).count()).to.equal(0);
    await screenshots(page, "live-rooms-fr-dark");
    expect(await findBarriers(page)).to.deep.equal([]);
  });

  it("store the connection quality of each person in the sessions", async () => {
    const call = await aTicketCall("CRM-2026-4713");
    const meeting = await aMeetingCall("Quality review", ["Ann", "Ben"]);
    await call.staff.ask("end");
    // Hours, so that the additional heartbeats of the meeting do not change a percentage.
    await platform
      .db("participations")
      .update({ good_ms: 54_000_000, fair_ms: 4_800_000, poor_ms: 1_200_000 });
    await platform.db("participations").where({ name: "Ben" }).update({ good_ms: null });
    const page = await browser.open();
    await platform.signIn(page, admin, `/tickets/${call.id}`);
    const heard = "Connection quality: good 90%, fair 8%, poor 2% of the time";
    for (const path of [`/tickets/${call.id}`, `/meetings/${meeting.id}`]) {
      await page.goto(`${platform.url}${path}`);
      const people = page.getByRole("list", { name: "Participants" }).last();
      await people.getByRole("img", { name: heard }).first().waitFor();
      await people.getByText("90% good").first().waitFor();
      await screenshots(page, `session-quality${path.replaceAll("/", "-")}`);
      expect(await findBarriers(page)).to.deep.equal([]);
    }
  });
});
