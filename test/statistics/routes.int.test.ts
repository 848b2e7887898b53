import { Ajv } from "ajv";
import { expect } from "chai";
import { ticketRowsAnswer } from "../../src/statistics/schema.ts";
import { useDatabase } from "../support/database.ts";
import { aUser } from "../support/factories.ts";
import { useStatistics, type StatisticsTicket } from "../support/statistics.ts";
import { aGroup, aTestUser } from "../support/tickets.ts";

const iphone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.1 Mobile/15E148 Safari/604.1";

type Row = Record<string, string | number | null>;

describe("the statistics of tickets", () => {
  const database = useDatabase();
  const fixture = useStatistics(database);

  const rowsOf = async (query = "", more = {}): Promise<Row[]> => {
    const response = await fixture.get(query, more);
    expect(response.status).to.equal(200);
    return (await response.json()) as Row[];
  };
  const idsOf = async (query = "", more = {}): Promise<unknown[]> =>
    (await rowsOf(query, more)).map(({ ID }) => ID);

  /** A ticket with a value for every column. */
  const aFullTicket = async (): Promise<StatisticsTicket> => {
    const group = await aGroup(database.db, fixture.enterpriseId, "Équipe Nord");
    const agent = await aUser(database.db, {
      enterprise_id: fixture.enterpriseId,
      login: `leo@${fixture.enterpriseId}.example`,
      firstname: "Léo",
      lastname: "Martin",
    });
    const ticket = await fixture.aTicket({
      agent_id: agent.id,
      group_id: group,
      state: "inprogress",
      reference: "=1+1",
      description: 'Chaudière; "en panne"\nfuite',
      priority: 4,
      type: "repair",
      name: "not shown",
      requestor_firstname: "Jane",
      requestor_lastname: "Doe",
      requestor_phone: "+33612345678",
      user_agent: iphone,
    });
    await fixture.aSession(ticket, {
      started_at: "2026-11-20T08:00:00Z",
      met_at: "2026-11-20T08:01:00Z",
      ended_at: "2026-11-20T08:12:00Z",
      end_reason: "ended",
      finished_at: "2026-11-20T08:11:05Z",
      billing_seconds: 600,
      both_seconds: 605,
    });
    await fixture.aSession(ticket, {
      started_at: "2026-11-20T09:00:00Z",
      ended_at: "2026-11-20T09:03:00Z",
      end_reason: "empty",
      finished_at: "2026-11-20T09:02:00Z",
      billing_seconds: 0,
      both_seconds: 0,
    });
    await fixture.anInvitation(ticket, "email");
    await fixture.anInvitation(ticket, "email", "undelivered");
    await fixture.anInvitation(ticket, "email", "failed");
    await fixture.anInvitation(ticket, "sms", "delivered");
    await fixture.aFile(ticket, "image/jpeg");
    await fixture.aFile(ticket, "image/png");
    await fixture.aFile(ticket, "image/png", { state: "error" });
    await fixture.aFile(ticket, "image/png", { deleted_at: "2026-11-20T10:00:00Z" });
    await fixture.aFile(ticket, "video/webm");
    await fixture.aFile(ticket, "application/pdf");
    await fixture.anEntry(ticket, "ticket.new");
    await fixture.anEntry(ticket, "session.established");
    await fixture.anEntry(ticket, "media.OCRDone");
    await fixture.anEntry(ticket, "media.OCRDone");
    return ticket;
  };
  /** A ticket with the minimum of data. */
  const aBareTicket = () =>
    fixture.aTicket({
      start_time: "2026-11-20T22:30:00Z",
      end_time: "2026-11-20T23:30:00Z",
      requestor_email: null,
      requestor_phone: "+33600000000",
    });

  const fullRow = (id: number): Row => ({
    ID: id,
    Ref: "=1+1",
    Description: 'Chaudière; "en panne"\nfuite',
    Priorité: "Urgente",
    Demandeur: "Jane Doe",
    Contact: "jane@example.com, +33612345678",
    Etat: "En cours",
    "Assigné à": "Léo Martin",
    Groupe: "Équipe Nord",
    Type: "repair",
    "Date de début de session": "2026-11-20 09:00:00",
    "Date de fin": "2026-11-20 10:02:00",
    Répondues: "Oui",
    "Nombre d'invitations": 3,
    "Nombre d'invitations email": 2,
    "Nombre d'invitations SMS": 1,
    "Nombre Appels": 1,
    "Durée totale des appels (secondes)": 605,
    Photos: 2,
    Vidéos: 1,
    Identifiant: `leo@${fixture.enterpriseId}.example`,
    Service: "Dépannage",
    Scans: 2,
    Appareil: "Smartphone iPhone",
    "Système d'exploitation": "iOS 17.1",
    Navigateur: "Safari 17",
  });
  const bareRow = (id: number): Row => ({
    ID: id,
    Ref: "",
    Description: "",
    Priorité: "Normale",
    Demandeur: "",
    Contact: "+33600000000",
    Etat: "Nouveau",
    "Assigné à": "",
    Groupe: "",
    Type: null,
    "Date de début de session": "2026-11-20 23:30:00",
    "Date de fin": "2026-11-21 00:30:00",
    Répondues: "Non",
    "Nombre d'invitations": 0,
    "Nombre d'invitations email": 0,
    "Nombre d'invitations SMS": 0,
    "Nombre Appels": 0,
    "Durée totale des appels (secondes)": 0,
    Photos: 0,
    Vidéos: 0,
    Identifiant: "",
    Service: "Dépannage",
    Scans: 0,
    Appareil: "",
    "Système d'exploitation": "",
    Navigateur: "",
  });

  it("are rows with the documented keys in order, as JSON", async () => {
    const full = await aFullTicket();
    const bare = await aBareTicket();
    const response = await fixture.get();
    expect(response.headers.get("content-type")).to.equal("application/json");
    // Compared as text, because the order of the keys matters.
    expect(await response.text()).to.equal(JSON.stringify([fullRow(full.id), bareRow(bare.id)]));
  });

  it("match the API description, which does not validate streams at runtime", async () => {
    await aFullTicket();
    await aBareTicket();
    const validate = new Ajv().compile(ticketRowsAnswer);
    const rows = await rowsOf();
    expect(validate(rows), JSON.stringify(validate.errors)).to.equal(true);
    expect(validate([{ ...rows[0], Scan: 1 }])).to.equal(false);
  });

  it("are the same rows as CSV, safe against formula injection", async () => {
    const full = await aFullTicket();
    const bare = await aBareTicket();
    const response = await fixture.get("?format=Csv");
    expect(response.headers.get("content-type")).to.equal("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).to.equal(
      'attachment; filename="tickets-stats-2026-11-20-2026-11-20.csv"',
    );
    const lines = [
      "ID;Ref;Description;Priorité;Demandeur;Contact;Etat;Assigné à;Groupe;Type;Date de début de session;Date de fin;Répondues;Nombre d'invitations;Nombre d'invitations email;Nombre d'invitations SMS;Nombre Appels;Durée totale des appels (secondes);Photos;Vidéos;Identifiant;Service;Scans;Appareil;Système d'exploitation;Navigateur",
      `${full.id};'=1+1;"Chaudière; ""en panne""\nfuite";Urgente;Jane Doe;jane@example.com, +33612345678;En cours;Léo Martin;Équipe Nord;repair;2026-11-20 09:00:00;2026-11-20 10:02:00;Oui;3;2;1;1;605;2;1;leo@${fixture.enterpriseId}.example;Dépannage;2;Smartphone iPhone;iOS 17.1;Safari 17`,
      `${bare.id};;;Normale;;'+33600000000;Nouveau;;;;2026-11-20 23:30:00;2026-11-21 00:30:00;Non;0;0;0;0;0;0;0;;Dépannage;0;;;`,
    ];
    // As bytes, because `text()` strips the byte order mark.
    const text = Buffer.from(await response.arrayBuffer()).toString("utf8");
    expect(text).to.equal(`\uFEFF${lines.map((line) => `${line}\r\n`).join("")}`);
  });

  it("are an empty list, or only the CSV header, if there are no tickets", async () => {
    expect(await rowsOf()).to.deep.equal([]);
    const csv = await (await fixture.get("?format=CSV")).text();
    expect(csv).to.match(/^ID;Ref;.*;Navigateur\r\n$/u);
  });

  it("show states as codes on demand", async () => {
    await fixture.aTicket({ state: "opened" });
    expect((await rowsOf("?labels=code"))[0]?.["Etat"]).to.equal("opened");
    expect((await rowsOf())[0]?.["Etat"]).to.equal("Pris en charge");
  });

  it("fall back to the name without first and last name, and to the agent's login", async () => {
    const agent = await aUser(database.db, { enterprise_id: fixture.enterpriseId });
    const group = await aGroup(database.db, fixture.enterpriseId, "Zoé");
    const first = await aGroup(database.db, fixture.enterpriseId, "Agents");
    for (const group_id of [first, group]) {
      await database
        .db("group_members")
        .insert({ enterprise_id: fixture.enterpriseId, group_id, user_id: agent.id });
    }
    await fixture.aTicket({ name: "Madame X", agent_id: agent.id });
    expect((await rowsOf())[0]).to.include({
      Demandeur: "Madame X",
      "Assigné à": agent.login,
      Groupe: "Zoé",
    });
  });

  it("include tickets created on the days of the enterprise's time zone, ordered by id", async () => {
    const at = (created_at: string) => fixture.aTicket({ created_at });
    await at("2026-11-18T22:59:59Z");
    const last = await at("2026-11-20T22:59:59Z");
    const first = await at("2026-11-18T23:00:00Z");
    await at("2026-11-20T23:00:00Z");
    expect(await idsOf("?since=2026-11-19&until=2026-11-20")).to.deep.equal([last.id, first.id]);
    expect(await idsOf("?since=2026-11-19&until=2026-11-19")).to.deep.equal([first.id]);
  });

  it("default to the current day in the enterprise's time zone", async () => {
    fixture.clock.set(new Date("2026-11-20T23:30:00Z"));
    await fixture.aTicket({ created_at: "2026-11-20T22:59:00Z" });
    const today = await fixture.aTicket({ created_at: "2026-11-20T23:01:00Z" });
    expect(await idsOf()).to.deep.equal([today.id]);
  });

  it("exclude deleted tickets, except for administrators on demand", async () => {
    const alive = await fixture.aTicket();
    const deleted = await fixture.aTicket({ deleted_at: "2026-11-20T11:00:00Z" });
    expect(await idsOf()).to.deep.equal([alive.id]);
    expect(await idsOf("?withTrashed=1")).to.deep.equal([alive.id, deleted.id]);
    const integration = { caller: { role: "integration" } } as const;
    expect((await fixture.get("?withTrashed=1", integration)).status).to.equal(403);
    expect((await fixture.get("", integration)).status).to.equal(200);
  });

  it("show managers the tickets within their reach", async () => {
    const mine = await aGroup(database.db, fixture.enterpriseId, "Mine");
    const other = await aGroup(database.db, fixture.enterpriseId, "Other");
    const manager = await aTestUser(database.db, fixture.enterpriseId, "manager", {
      groupIds: [mine],
    });
    const seen = await fixture.aTicket({ group_id: mine });
    await fixture.aTicket({ group_id: other });
    const caller = { role: "manager", userId: manager.id, groupIds: [mine] } as const;
    expect(await idsOf("", { caller })).to.deep.equal([seen.id]);
  });

  it("exclude other enterprises", async () => {
    await fixture.aTicket();
    const stranger = { caller: { enterpriseId: fixture.enterpriseId + 999_999 } };
    expect((await fixture.get("", stranger)).status).to.equal(404);
  });

  it("are forbidden for agents", async () => {
    expect((await fixture.get("", { caller: { role: "agent" } })).status).to.equal(403);
  });

  const refused = {
    "?format=xml": "format",
    "?since=20-11-2026": "since",
    "?since=2026-02-30&until=2026-03-01": "since",
    "?until=tomorrow": "until",
    "?since=2026-11-21&until=2026-11-20": "until",
    "?since=2026-08-20&until=2026-11-20": "until",
    "?labels=french": "labels",
    "?withTrashed=yes": "withTrashed",
  };
  for (const [query, field] of Object.entries(refused)) {
    it(`reject ${query}, naming ${field}`, async () => {
      const response = await fixture.get(query);
      expect(response.status).to.equal(400);
      expect(JSON.stringify(await response.json())).to.include(`"field":"${field}"`);
    });
  }

  it("cover up to 92 days", async () => {
    expect((await fixture.get("?since=2026-08-21&until=2026-11-20")).status).to.equal(200);
  });
});
