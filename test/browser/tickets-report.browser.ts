import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { admin, agent } from "../support/browser-platform.ts";
import { findBarriers, screenshot, screenshots } from "../support/browser.ts";
import { beginSession, endSession } from "../support/held-session.ts";
import { readFixture } from "../support/media.ts";
import { useTicketsConsole, type Made } from "../support/tickets-console.ts";

describe("the report of a ticket's sessions", function () {
  this.timeout(120_000);
  const { platform, rest, create, asCustomer, open } = useTicketsConsole();

  /** A ticket after a call: two photos, a file, messages, a position. */
  const aServedTicket = async (): Promise<Made> => {
    const ticket = await create({
      ...{ firstname: "Jeanne", lastname: "Martin", phone: "+33612345678", invite: true },
      ...{ subject: "Boiler does not start", description: "Error E13 since Monday." },
    });
    await asCustomer(
      ticket,
      [
        "/consent",
        {
          ...{ terms: true, privacy: true, textVersion: "1", language: "en" },
          hasRecordingNotice: false,
        },
      ],
      ["/messages", { text: "It is in the kitchen." }],
    );
    const place = { id: ticket.id, of: "tickets" } as const;
    const people = [
      { role: "requestor", name: "Jeanne Martin" },
      { role: "agent", name: "Demo Agent" },
    ];
    await endSession(
      platform.db,
      await beginSession(platform.db, place, { people, minutesAgo: 12 }),
    );
    const { login: username, password } = admin;
    const token = await rest().succeed("POST /token", {
      body: { grant_type: "password", username, password },
    });
    const photo = await readFixture("text.png");
    for (const [name, type, title] of [
      ["plate.png", "image/png", "Rating plate"],
      ["valve.png", "image/png", "Valve"],
      ["notes.txt", "text/plain", "Reading of the meter"],
    ] as const) {
      const form = new FormData();
      const description = title === "Valve" ? "It leaks at the left thread." : "";
      Object.entries({ ticketId: String(ticket.id), title, description, kind: "share" })
        .filter(([, value]) => value !== "")
        .forEach(([field, value]) => form.set(field, value));
      const data = type === "text/plain" ? Buffer.from("4711 kWh") : photo;
      form.set("file", new Blob([new Uint8Array(data)], { type }), name);
      const answer = await fetch(`${platform.url}/api/medias`, {
        method: "POST",
        headers: { authorization: `Bearer ${String(token.body["access_token"])}` },
        body: form,
      });
      expect(answer.status, await answer.clone().text()).to.equal(201);
    }
    await rowsOf(
      platform.db,
      "UPDATE tickets SET geoloc_lat = 48.85661, geoloc_lng = 2.35222 WHERE id = ?",
      [ticket.id],
    );
    await rowsOf(
      platform.db,
      `INSERT INTO guest_answers (enterprise_id, ticket_id, kind, occasion, answer)
        SELECT enterprise_id, id, 'position', 'request', ?::json FROM tickets WHERE id = ?`,
      [JSON.stringify({ lat: 48.85661, lng: 2.35222, accuracy: 24.2 }), ticket.id],
    );
    return ticket;
  };

  it("shows everything about the ticket, and prints without the console", async () => {
    const ticket = await aServedTicket();
    const page = await open(agent, `/tickets/${ticket.id}`);
    await page.getByText("± 25 m").waitFor();
    await screenshot(page, "ticket-position");
    await page.getByRole("link", { name: "Session report" }).click();
    await page.getByRole("heading", { name: "Session report", level: 1 }).waitFor();
    const part = (name: string) => page.getByRole("region", { name, exact: true });
    await page.getByText(`Ticket ${ticket.id} · Jeanne Martin`).waitFor();
    await part("Ticket").getByText("Error E13 since Monday.").waitFor();
    await part("Ticket").getByText("48.85661, 2.35222 (± 25 m)").waitFor();
    await part("People").getByText("+33 6 12 34 56 78").waitFor();
    await part("Sessions").getByText(/^12m/u).first().waitFor();
    await part("Messages").getByText("It is in the kitchen.").waitFor();
    await part("Timeline").getByText("Jeanne Martin was invited").first().waitFor();
    await part("Recordings and files").getByText("Reading of the meter").waitFor();
    const photos = part("Photos");
    await photos.getByText("It leaks at the left thread.").waitFor();
    expect(await photos.locator("strong").allInnerTexts()).to.deep.equal(["Rating plate", "Valve"]);
    await page.waitForFunction(
      "[...document.querySelectorAll('figure img')].every((one) => one.naturalWidth > 0)",
    );
    await screenshots(page, "tickets-report");
    expect(await findBarriers(page)).to.deep.equal([]);

    await page.evaluate("window.print = () => { window.printed = true; }");
    await page.getByRole("button", { name: "Print" }).click();
    expect(await page.evaluate("window.printed")).to.equal(true);
    await page.emulateMedia({ media: "print" });
    for (const hidden of [
      page.getByRole("navigation"),
      page.getByRole("banner"),
      page.getByRole("button", { name: "Print" }),
    ]) {
      expect(await hidden.filter({ visible: true }).count()).to.equal(0);
    }
    const breakOf = (selector: string, property: string) =>
      page.evaluate(
        `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${property}`,
      );
    expect(await breakOf("figure", "breakInside")).to.equal("avoid");
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    // A4 in points, with a page for each part after the first three.
    expect(pdf).to.match(/\/MediaBox \[0 0 59[45](\.\d+)? 84[12](\.\d+)?\]/u);
    expect(pdf.match(/\/Type \/Page\b/gu)?.length).to.be.within(5, 7);
  });

  it("is translated to French, even without sessions, and answers 404 for an unknown ticket", async () => {
    const ticket = await create({ firstname: "Li", lastname: "Wei" });
    const page = await open(agent, `/tickets/${ticket.id}/report`, { language: "fr" });
    await page.getByRole("heading", { name: "Rapport de session", level: 1 }).waitFor();
    await page.getByRole("region", { name: "Photos" }).getByText("Aucun élément").waitFor();
    await page.getByRole("button", { name: "Imprimer" }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.goto(`${platform.url}/tickets/no-number/report`);
    await page.getByText("Ticket introuvable").waitFor();
  });
});
