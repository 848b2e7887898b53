import { expect } from "chai";
import type { Route } from "playwright-core";
import { admin, useBrowserPlatform } from "../support/browser-platform.ts";
import { desktop, findBarriers, phone, screenshots, useBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { beginSession, endSession } from "../support/held-session.ts";
import { tinyPng } from "../support/media.ts";
import type { RestClient } from "../support/rest-client.ts";

describe("the history of a meeting", () => {
  const platform = useBrowserPlatform();
  const browser = useBrowser();

  let rest: RestClient;

  before("sign in to the API", async () => {
    rest = await platform.rest(admin);
  });

  const aMeeting = async (): Promise<{ id: number }> => {
    const startTime = new Date(Date.now() + 86_400_000).toISOString();
    const participants = "jane.doe@example.com,+33612345678,paul@example.com";
    const body = { participants, name: "Comité de pilotage", invite: true, startTime };
    return (await rest.succeed("POST /conferences", { body })).body as { id: number };
  };

  const tokenOf = async (): Promise<string> => {
    const { login: username, password } = admin;
    const { body } = await rest.succeed("POST /token", {
      body: { grant_type: "password", username, password },
    });
    return String(body["access_token"]);
  };

  it("shows events live, and the participants and durations of its sessions", async () => {
    const { id } = await aMeeting();
    const anHourAgo = new Date(Date.now() - 3_600_000);
    await platform.db("conferences").where({ id }).update({ created_at: anHourAgo });
    const page = await browser.open();
    const limits: (string | null)[] = [];
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith("/sessions")) {
        limits.push(searchParams.get("limit"));
      }
    });
    await platform.signIn(page, admin, `/meetings/${id}`);
    const history = page.getByRole("list", { name: "Timeline" });
    const sessions = page.getByRole("region", { name: "Sessions" });
    await history.getByText("Demo Administrator scheduled the meeting").waitFor();
    await history.getByText("3 guests were invited: jane.doe@example.com").waitFor();
    await sessions.getByText("No one has been in the room yet.").waitFor();
    const sessionId = await beginSession(
      platform.db,
      { id, of: "conferences" },
      {
        people: [
          { role: "organizer", name: "Martine Dubois" },
          { role: "participant", name: "Jean-Baptiste Poquelin" },
        ],
        minutesAgo: 12,
      },
    );
    await history.getByText("Jean-Baptiste Poquelin joined").waitFor();
    const began = history.locator("[data-type='began']");
    expect(await began.getAttribute("data-new")).to.equal("true");
    expect(await history.locator("[data-type='created']").getAttribute("data-new")).to.equal(null);
    await sessions.getByText("In progress").waitFor();
    const who = sessions.getByRole("list", { name: "Participants" }).getByRole("listitem");
    expect(await who.allInnerTexts()).to.deep.equal([
      ...["Martine Dubois in the room", "Jean-Baptiste Poquelin in the room"],
    ]);
    const there = page.getByRole("table", { name: "Attendance" });
    await there.getByRole("row", { name: /Martine Dubois.*In the room/u }).waitFor();
    await endSession(platform.db, sessionId);
    await history.getByText("Martine Dubois left").waitFor();
    await history.getByText(/^The session ended after 12m.*: ended by your team$/u).waitFor();
    await sessions.getByText("13m billed").waitFor();
    await sessions.getByText("2 people · ended by your team").waitFor();
    expect((await who.allInnerTexts())[0]).to.match(/^Martine Dubois 12m/u);
    await page.getByText("Oldest first").click();
    await eventually(async () => {
      const first = history.getByRole("listitem").first();
      return (await first.getAttribute("data-type")) === "created";
    });
    // The first request loads all entries, later ones only those that may have changed.
    expect(limits.slice(0, 1)).to.deep.equal(["100"]);
    expect([...new Set(limits.slice(1))]).to.deep.equal(["5"]);
    const columns = `getComputedStyle(
      document.querySelector("[data-type='created'] > div")).gridTemplateColumns.split(" ").length`;
    expect(await page.evaluate(columns)).to.equal(3);
    await screenshots(page, "meeting-story");
    await page.setViewportSize(phone);
    expect(await page.evaluate(columns)).to.equal(2);
    await page.setViewportSize(desktop);
    expect(await findBarriers(page)).to.deep.equal([]);
  });

  it("shows complete and incomplete files, and opens them", async () => {
    const { id } = await aMeeting();
    const page = await browser.open();
    await platform.signIn(page, admin, `/meetings/${id}`);
    const files = page.getByRole("region", { name: "Recordings and files" });
    await files.getByText("No files.").waitFor();
    const form = new FormData();
    form.set("conferenceId", String(id));
    form.set("title", "Plan of the site");
    form.set("file", new Blob([tinyPng], { type: "image/png" }), "plan.png");
    const headers = { authorization: `Bearer ${await tokenOf()}` };
    const sent = await fetch(`${platform.url}/api/medias`, { method: "POST", headers, body: form });
    expect(sent.status).to.equal(201);
    await platform.db.raw(
      `INSERT INTO media (enterprise_id, hash, conference_id, conversation_id, state, source_type,
         title, filename, mime_type, owner_name)
       SELECT enterprise_id, gen_random_uuid(), conference_id, conversation_id, 'error',
         'conf_record', 'Recording', 'recording.webm', 'video/webm', 'Martine Dubois'
       FROM media WHERE conference_id = ?`,
      [id],
    );
    await page.reload();
    const link = files.getByRole("link", { name: "Plan of the site" });
    await link.waitFor();
    const row = files.getByRole("row", { name: /Plan of the site/u });
    await row.getByText(`${tinyPng.length} byte`).waitFor();
    await files
      .getByRole("row", { name: /Recording/u })
      .getByText("Failed")
      .waitFor();
    expect(await files.getByRole("link", { name: "Recording" }).count()).to.equal(0);
    const got = await fetch(new URL((await link.getAttribute("href")) ?? "", platform.url));
    expect(Buffer.from(await got.arrayBuffer()).equals(tinyPng)).to.equal(true);
    await page
      .getByRole("list", { name: "Timeline" })
      .getByText("Demo Administrator added Plan of the site")
      .waitFor();
  });

  it("says that the sessions cannot be loaded, and retries", async () => {
    const { id } = await aMeeting();
    const page = await browser.open({ expectedErrors: [/503/u] });
    await page.route("**/sessions?*", (route) => route.fulfill({ status: 503, body: "" }));
    await platform.signIn(page, admin, `/meetings/${id}`);
    const timeline = page.getByRole("region", { name: "Timeline" });
    await timeline.getByRole("alert").waitFor({ timeout: 30_000 });
    await page.unroute("**/sessions?*");
    await timeline.getByRole("button", { name: "Try again" }).click();
    await timeline.getByText("Demo Administrator scheduled the meeting").waitFor();
    await page.getByRole("region", { name: "Sessions" }).getByText("No one has been").waitFor();
  });

  it("keeps the chat draft while a message is being sent", async () => {
    const { id } = await aMeeting();
    const page = await browser.open();
    await platform.signIn(page, admin, `/meetings/${id}`);
    const chat = page.getByRole("region", { name: "Chat" });
    const held: Route[] = [];
    await page.route("**/api/conversations/*/messages", (route) =>
      route.request().method() === "POST" ? void held.push(route) : route.continue(),
    );
    const field = chat.getByRole("textbox");
    await field.fill("First");
    await chat.getByRole("button", { name: "Send" }).click();
    await eventually(() => held.length === 1);
    await field.fill("Second");
    await held.pop()?.continue();
    await chat.getByRole("list").getByText("First").waitFor();
    expect(await field.inputValue()).to.equal("Second");
  });
});
