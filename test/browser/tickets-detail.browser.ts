import { expect } from "chai";
import type { Route } from "playwright-core";
import { ticketStates, type TicketState } from "../../src/contracts/events.ts";
import {
  sessionEventAttributes,
  sessionEventCodes,
  sessionEventTypes,
} from "../../src/contracts/session-events.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { admin, agent } from "../support/browser-platform.ts";
import { findBarriers, screenshots } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { beginSession, endSession } from "../support/held-session.ts";
import { tinyPng } from "../support/media.ts";
import { isNight } from "../support/night.ts";
import { ofManagers, otherAgent, useTicketsConsole } from "../support/tickets-console.ts";

describe("a ticket in the console", function () {
  // Browser tests are slow on busy machines.
  this.timeout(120_000);
  const { platform, rest, create, stateIs, asCustomer, open, offered, allowed } =
    useTicketsConsole();

  describe("the timeline", () => {
    it("is updated live, with the webhooks that each entry triggered", async () => {
      const ticket = await create({
        ...{ firstname: "Jeanne", lastname: "Lefèvre" },
        invite: true,
      });
      const page = await open(admin, `/tickets/${ticket.id}`);
      const timeline = page.getByRole("list", { name: "Timeline" });
      await timeline.getByText("Jeanne Lefèvre was invited").waitFor();
      await asCustomer(
        ticket,
        ["/click", {}],
        [
          "/consent",
          {
            terms: true,
            privacy: true,
            textVersion: "1",
            language: "en",
            hasRecordingNotice: false,
          },
        ],
      );
      await timeline.getByText("Jeanne Lefèvre opened the link").waitFor();
      await timeline.getByText("The customer agreed to the terms").waitFor();
      const first = timeline.getByRole("listitem").first();
      expect(await first.getAttribute("data-type")).to.equal("consent.accepted");
      expect(await first.getAttribute("data-new")).to.equal("true");
      const clicked = timeline.locator("[data-type='ticket.invitationClicked']");
      await clicked
        .getByRole("link", { name: /Delivered/u })
        .first()
        .waitFor();
      await screenshots(page, "tickets-detail");
      expect(await findBarriers(page)).to.deep.equal([]);
      await clicked
        .getByRole("link", { name: /Delivered/u })
        .first()
        .click();
      await page.waitForURL(/\/dashboard\/deliveries\/\d+$/u);
    });

    it("has a sentence for every type, in both languages", async function () {
      this.timeout(240_000);
      const ticket = await create({ phone: "+33612345678" });
      const person = { email: "", phone: "", firstname: "Amadou", lastname: "Traoré" };
      const values: Record<string, unknown> = {
        ...{
          agent: { ...person, firstname: "Li" },
          requestor: person,
          oldPriority: 2,
          newPriority: 4,
          mediaId: 1,
        },
        ...{ text: "SN 4711\nE13", geoloc: { lat: 48.85661, lng: 2.35222 } },
        surveyAnswer: {
          questions: [{ id: 1, label: { en: "Sound", fr: "Son" }, answer: "Satisfied" }],
          feedback: "Merci",
        },
      };
      const [found] = await rowsOf<{ conversation_id: number; enterprise_id: number }>(
        platform.db,
        "SELECT conversation_id, enterprise_id FROM session_events WHERE ticket_id = ? LIMIT 1",
        [ticket.id],
      );
      for (const type of sessionEventTypes) {
        const value = sessionEventAttributes[type].map((name) => [name, values[name]]);
        await rowsOf(
          platform.db,
          `INSERT INTO session_events (enterprise_id, ticket_id, conversation_id, event_type,
             event_code, source, attributes) VALUES (?, ?, ?, ?, ?, 'guest', ?::json)`,
          [
            ...[found?.enterprise_id, ticket.id, found?.conversation_id, type],
            ...[sessionEventCodes[type], JSON.stringify(Object.fromEntries(value))],
          ] as never,
        );
      }
      for (const [language, name] of [
        ["en", "Timeline"],
        ["fr", "Historique"],
      ] as const) {
        const page = await open(admin, `/tickets/${ticket.id}`, { language, colors: "dark" });
        const lines = page.getByRole("list", { name }).getByRole("listitem");
        await eventually(async () => (await lines.count()) >= sessionEventTypes.length);
        const sentences: string[] = [];
        for (const line of await lines.all()) {
          sentences.push(await line.locator("p").first().innerText());
        }
        expect(new Set(sentences).size).to.be.at.least(sessionEventTypes.length);
        expect(sentences.filter((text) => /event\.|\{\{|undefined/u.test(text))).to.deep.equal([]);
        await screenshots(page, `tickets-timeline-${language}-dark`);
        expect(await findBarriers(page)).to.deep.equal([]);
      }
    });
  });

  describe("actions", () => {
    for (const [name, login, except] of [
      ["its agent", agent, ofManagers],
      ...(isNight ? ([["an administrator", admin, []]] as const) : []),
    ] as const) {
      it(`are offered to ${name} exactly if the state allows them`, async function () {
        this.timeout(240_000);
        const ticket = await create();
        const page = await open(login, `/tickets/${ticket.id}`);
        const differing: unknown[] = [];
        for (const state of ticketStates) {
          await stateIs(ticket.id, state);
          await page.reload();
          await page.locator(`[data-state="${state}"]`).first().waitFor();
          const found = await offered(page);
          const expected = allowed(state, except);
          if (JSON.stringify(found) !== JSON.stringify(expected)) {
            differing.push({ state, found, expected });
          }
        }
        expect(differing).to.deep.equal([]);
      });
    }

    it("approve, take, invite again, transfer, edit and delete a ticket", async () => {
      const ticket = await create({ reference: "LIFE-1", phone: "+33612345679" });
      const page = await open(admin, `/tickets/${ticket.id}`);
      const stateBadge = (state: TicketState) => page.locator(`[data-state="${state}"]`).first();
      const act = async (name: string, verb: string): Promise<void> => {
        const group = page.getByRole("group", { name: "Available actions" });
        const button = group.getByRole("button", { name, exact: true });
        await group.getByRole("button").first().waitFor();
        if ((await button.count()) === 0) {
          await group.getByRole("button", { name: "More", exact: true }).click();
          await page.getByRole("menuitem", { name, exact: true }).click();
        } else {
          await button.click();
        }
        await page.getByRole("dialog").getByRole("button", { name: verb, exact: true }).waitFor();
      };
      const confirm = (verb: string) =>
        page.getByRole("dialog").getByRole("button", { name: verb, exact: true }).click();

      await act("Approve", "Approve");
      await confirm("Approve");
      await stateBadge("open").waitFor();
      await act("Take", "Take ticket");
      await confirm("Take ticket");
      await stateBadge("opened").waitFor();
      await act("Invite", "Send invitation");
      await page.getByRole("dialog").getByLabel("jane.doe@example.com").uncheck();
      await confirm("Send invitation");
      await stateBadge("invited").waitFor();
      await page.getByRole("list", { name: "Timeline" }).getByText("was invited").waitFor();
      await act("Invite again", "Send invitation");
      await page.getByRole("dialog").getByLabel("jane.doe@example.com").uncheck();
      await confirm("Send invitation");
      // A second invitation on the same channel within a minute is rejected, and the dialog says
      // so.
      await page.getByRole("dialog").getByRole("alert").waitFor();
      await page.keyboard.press("Escape");
      await act("Transfer", "Transfer");
      await page.getByRole("dialog").getByRole("combobox", { name: "New agent" }).fill("second");
      await page.getByRole("option", { name: /second/u }).click();
      await confirm("Transfer");
      await page.getByText(otherAgent.login).first().waitFor();
      await act("Edit", "Save");
      await page.getByRole("dialog").getByLabel("Subject").fill("Changed by hand");
      await confirm("Save");
      await page.getByText("Changed by hand").first().waitFor();
      const { body } = await rest().succeed(`GET /tickets/${ticket.id}`);
      expect(body).to.include({ subject: "Changed by hand", agent: otherAgent.login });
      expect(body["reference"]).to.equal("LIFE-1");
      await act("Delete", "Delete ticket");
      await confirm("Delete ticket");
      await page.waitForURL(/\/tickets$/u);
      expect((await rest().call(`GET /tickets/${ticket.id}`)).status).to.equal(404);
    });
  });

  describe("the sessions", () => {
    it("are shown while running and afterwards, with how long agent and customer spoke", async () => {
      const ticket = await create();
      const page = await open(agent, `/tickets/${ticket.id}`);
      const sessions = page.getByRole("region", { name: "Sessions" });
      await sessions.getByText("No one has been in the room yet.").waitFor();
      const people = [
        { role: "agent", name: "Demo Agent" },
        { role: "requestor", name: "Jeanne Lefèvre" },
      ];
      const place = { id: ticket.id, of: "tickets" } as const;
      const id = await beginSession(platform.db, place, { people, minutesAgo: 12 });
      await page.reload();
      await sessions.getByText("In progress").waitFor();
      await sessions.getByText("2 people", { exact: true }).waitFor();
      await endSession(platform.db, id);
      await page.reload();
      await sessions.getByText("2 people · ended by your team").waitFor();
      await sessions.getByText(/^12m.* in call$/u).waitFor();
      await sessions.getByText("13m billed").waitFor();
      const participants = sessions.getByRole("list", { name: "Participants" });
      expect(await participants.count(), "one session").to.equal(1);
      expect(await participants.getByRole("listitem").count()).to.equal(2);
      expect(await findBarriers(page)).to.deep.equal([]);
    });
  });

  describe("files and messages", () => {
    it("sends, shows, describes and deletes a picture", async () => {
      const ticket = await create();
      const page = await open(admin, `/tickets/${ticket.id}`);
      const files = page.getByRole("region", { name: "Files" });
      await files.getByText("No photos or files yet.").waitFor();
      await page
        .locator("input[type=file]")
        .setInputFiles({ name: "boiler.png", mimeType: "image/png", buffer: tinyPng });
      await files.getByRole("button", { name: /boiler.png/u }).click();
      const dialog = page.getByRole("dialog");
      await eventually(() =>
        page.evaluate<boolean>('document.querySelector("[role=dialog] img").naturalWidth > 0'),
      );
      await dialog.getByLabel("Description").fill("Plate of the boiler");
      await dialog.getByRole("button", { name: "Save" }).click();
      await page.getByText("The file was updated.").waitFor();
      await page.getByRole("list", { name: "Timeline" }).getByText("An image was shared").waitFor();
      expect(await findBarriers(page)).to.deep.equal([]);
      await dialog.getByRole("button", { name: "Delete" }).click();
      const question = page.getByRole("dialog", { name: /^Delete .+\?$/u });
      await question.getByRole("button", { name: "Delete" }).click();
      await files.getByText("No photos or files yet.").waitFor();
      const { body } = await rest().succeed(`GET /tickets/${ticket.id}/medias`);
      expect(body["count"]).to.equal(0);
    });

    it("says why a file is rejected", async () => {
      const ticket = await create();
      const page = await open(admin, `/tickets/${ticket.id}`);
      await page
        .locator("input[type=file]")
        .setInputFiles({ name: "a.html", mimeType: "text/html", buffer: Buffer.from("<html>") });
      await page.getByText("This file type is not supported.").waitFor();
    });

    it("sends messages to the customer, and shows the customer's", async () => {
      const ticket = await create({ invite: true, firstname: "Jeanne" });
      const page = await open(agent, `/tickets/${ticket.id}`);
      const chat = page.getByRole("region", { name: "Messages" });
      await chat.getByLabel("Write to the customer").fill("I am with you in a minute.");
      await page.keyboard.press("Enter");
      await chat.getByRole("log").getByText("I am with you in a minute.").waitFor();
      await asCustomer(ticket, ["/messages", { text: "Merci, j’attends." }]);
      await chat.getByText("Merci, j’attends.").waitFor();
    });

    it("keeps the draft while a message is being sent, and restores a failed one", async () => {
      const page = await open(agent, `/tickets/${(await create({ invite: true })).id}`);
      const chat = page.getByRole("region", { name: "Messages" });
      const field = chat.getByLabel("Write to the customer");
      const held: Route[] = [];
      await page.route("**/api/conversations/*/messages", (route) =>
        route.request().method() === "POST" ? void held.push(route) : route.continue(),
      );
      await field.fill("First");
      // The Enter key ends an IME composition, as in Japanese.
      await field.dispatchEvent("keydown", { key: "Enter", isComposing: true });
      expect(await field.inputValue()).to.equal("First");
      await page.keyboard.press("Enter");
      await eventually(async () => (await field.inputValue()) === "" && held.length === 1);
      await field.fill("Second");
      await held.pop()?.abort();
      await chat.getByRole("alert").waitFor();
      expect(await field.inputValue()).to.equal("First\nSecond");
      await page.keyboard.press("Enter");
      await eventually(() => held.length === 1);
      await field.fill("Third");
      await held.pop()?.continue();
      await chat.getByRole("log").getByText("First\nSecond").waitFor();
      expect(await field.inputValue()).to.equal("Third");
    });
  });
});
