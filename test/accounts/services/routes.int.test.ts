import { expect } from "chai";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { useAccounts, type CallAnswer, type Member } from "../../support/accounts-api.ts";
import { useDatabase } from "../../support/database.ts";

describe("services API", () => {
  const database = useDatabase();
  const { call, aMember, auditOf } = useAccounts(database);
  let admin: Member;
  beforeEach(async () => {
    admin = await aMember();
  });
  const post = (json: object) => call("POST /services", { as: admin, json });
  const aTicketService = async (more: object = {}): Promise<CallAnswer["body"]> =>
    (await post({ name: "Help", kind: "ticket", ...more })).body;
  const patch = (id: number, json: object) => call(`PATCH /services/${id}`, { as: admin, json });
  const idsOf = async (query: string): Promise<number[]> => {
    const { status, body } = await call(`GET /services?${query}`, { as: admin });
    expect(status, query).to.equal(200);
    return body["data"].map(({ id }: { id: number }) => id);
  };

  it("creates a service with a button and returns all fields", async () => {
    const { status, headers, body } = await post({ name: "Help", kind: "ticket" });
    expect(status).to.equal(201);
    expect(headers.get("location")).to.equal(`/api/services/${body["id"]}`);
    expect(body["service_key"]).to.match(/^[a-z0-9]{32}$/u);
    expect(body["created"]).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/u);
    expect(body).to.deep.equal({
      id: body["id"],
      service_key: body["service_key"],
      name: "Help",
      kind: "ticket",
      description: null,
      ticket_types: [],
      is_active: true,
      asks_position: false,
      not_clicked_minutes: 15,
      reminder_minutes: null,
      language: null,
      media_retention_days: 365,
      room_backend: "auto",
      groups: [],
      created: body["created"],
      modified: body["modified"],
    });
    for (const path of [`/services/${body["id"]}`, `/v3/service/${body["id"]}`]) {
      expect((await call(`GET ${path}`, { as: admin })).body).to.deep.equal(body);
    }
    const buttons = await call(`GET /services/${body["id"]}/buttons`, { as: admin });
    const [button] = buttons.body["data"];
    expect(buttons.body).to.deep.equal({
      total: 1,
      data: [
        {
          id: button.id,
          name: "Help",
          url: `https://sightline.example/e/${button.id}`,
          is_active: true,
          created: button.created,
        },
      ],
    });
  });

  it("accepts every setting in create and update", async () => {
    const group = await call(`POST /enterprises/${admin.enterprise_id}/user-groups`, {
      as: admin,
      json: { name: "Experts" },
    });
    const settings = {
      name: "Repair",
      description: "At home",
      ticket_types: ["Boiler", "Meter"],
      is_active: true,
      asks_position: true,
      not_clicked_minutes: 1_440,
      reminder_minutes: 30,
      language: "fr",
      media_retention_days: 30,
      room_backend: "mesh",
    };
    const groups = [group.body["id"]];
    const { body } = await post({ ...settings, kind: "conference", groups });
    const full = { ...settings, groups: [{ id: groups[0], name: "Experts" }] };
    expect(body).to.deep.include({ ...full, kind: "conference" });
    const service = await aTicketService();
    const changed = await patch(service["id"], { ...settings, groups });
    expect(changed.body).to.deep.include({ ...full, kind: "ticket" });
    const cleared = await patch(service["id"], {
      description: null,
      reminder_minutes: null,
      language: null,
      groups: [],
    });
    expect(cleared.body).to.deep.include({
      ...settings,
      description: null,
      reminder_minutes: null,
      language: null,
      groups: [],
    });
  });

  it("rejects invalid values and names the field", async () => {
    const stranger = await aMember();
    const foreign = await call(`POST /enterprises/${stranger.enterprise_id}/user-groups`, {
      as: stranger,
      json: { name: "Theirs" },
    });
    const service = await aTicketService();
    for (const [json, field] of [
      [{ name: "" }, "name"],
      [{ description: "x".repeat(2_001) }, "description"],
      [{ not_clicked_minutes: 0 }, "not_clicked_minutes"],
      [{ reminder_minutes: 10_081 }, "reminder_minutes"],
      [{ media_retention_days: 0 }, "media_retention_days"],
      [{ room_backend: "jitsi" }, "room_backend"],
      [{ language: "xx" }, "language"],
      [{ ticket_types: ["a", "a"] }, "ticket_types"],
      [{ kind: "conference" }, "kind"],
      [{ service_key: "a".repeat(32) }, "service_key"],
      [{ groups: [foreign.body["id"]] }, "groups[0]"],
    ] as const) {
      const { body } = await patch(service["id"], json);
      expect(body, field).to.include({ status: 400, code: 10, details: `Parameter ${field}` });
    }
    expect((await post({ name: "x" })).body).to.include({ code: 9, details: "Parameter kind" });
    const after = await call(`GET /services/${service["id"]}`, { as: admin });
    expect(after.body).to.deep.equal(service);
  });

  it("lists services, finds one by its key, and pages", async () => {
    const first = await aTicketService();
    const second = await aTicketService({ kind: "conference", name: "Meet 100%" });
    expect(await idsOf("order=asc")).to.deep.equal([first["id"], second["id"]]);
    expect(await idsOf(`service_key=${second["service_key"]}`)).to.deep.equal([second["id"]]);
    expect(await idsOf("service_key=none")).to.deep.equal([]);
    expect(await idsOf("kind=ticket")).to.deep.equal([first["id"]]);
    expect(await idsOf("search=meet")).to.deep.equal([second["id"]]);
    const page = await call("GET /service?limit=1&orderby=id&order=asc", { as: admin });
    expect(page.body["total"]).to.equal(2);
    expect(page.headers.get("x-total-count")).to.equal("2");
    const stranger = await aMember();
    const theirs = await call(`GET /services?service_key=${first["service_key"]}`, {
      as: stranger,
    });
    expect(theirs.body).to.deep.equal({ total: 0, data: [] });
  });

  it("deletes softly, but not the last active service of a kind", async () => {
    const first = await aTicketService();
    const at = `/services/${first["id"]}`;
    await aTicketService({ kind: "conference" });
    const last = await call(`DELETE ${at}`, { as: admin });
    expect(last.body).to.include({ status: 409, code: 11 });
    expect((await patch(first["id"], { is_active: false })).body).to.include({ status: 409 });
    const second = await aTicketService();
    const answers = await Promise.all([
      call(`DELETE ${at}`, { as: admin }),
      call(`DELETE /services/${second["id"]}`, { as: admin }),
    ]);
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).to.deep.equal([204, 409]);
    const gone = answers[0].status === 204 ? first : second;
    expect((await call(`GET /services/${gone["id"]}`, { as: admin })).status).to.equal(404);
    expect((await call(`GET /services/${gone["id"]}/survey`, { as: admin })).status).to.equal(404);
    expect(await idsOf("kind=ticket")).to.have.length(1);
    const [row] = await rowsOf(
      database.db,
      `SELECT s.is_active, s.deleted_at IS NOT NULL AS deleted, b.is_active AS button
       FROM services s JOIN buttons b ON b.service_id = s.id WHERE s.id = ?`,
      [gone["id"]],
    );
    expect(row).to.deep.equal({ is_active: false, deleted: true, button: false });
  });

  it("rotates the key, after which the old one finds nothing", async () => {
    const service = await aTicketService();
    const at = `POST /services/${service["id"]}/rotate-key`;
    const { status, body } = await call(at, { as: admin });
    expect(status).to.equal(200);
    expect(body["service_key"]).to.match(/^[a-z0-9]{32}$/u);
    expect(body["service_key"]).to.not.equal(service["service_key"]);
    expect(await idsOf(`service_key=${service["service_key"]}`)).to.deep.equal([]);
    expect(await idsOf(`service_key=${body["service_key"]}`)).to.deep.equal([service["id"]]);
  });

  it("allows only administrators of the enterprise", async () => {
    const service = await aTicketService();
    const stranger = await aMember();
    const agent = await aMember({ enterprise_id: admin.enterprise_id, role: "agent" });
    const at = `/services/${service["id"]}`;
    for (const [what, json] of [
      [`GET ${at}`, undefined],
      [`PATCH ${at}`, { name: "x" }],
      [`DELETE ${at}`, undefined],
      [`POST ${at}/rotate-key`, undefined],
      [`GET ${at}/survey`, undefined],
      [`PUT ${at}/survey`, { enabled: false, questions: [{ label: { en: "?" } }], feedback: true }],
      [`GET ${at}/buttons`, undefined],
      [`POST ${at}/buttons`, { name: "x" }],
      [`PATCH ${at}/buttons/1`, { name: "x" }],
      [`DELETE ${at}/buttons/1`, undefined],
    ] as const) {
      const theirs = await call(what, { as: stranger, json });
      expect(theirs.body, what).to.include({ status: 404, code: 8 });
      const refused = await call(what, { as: agent, json });
      expect(refused.body, what).to.include({ status: 403, code: 6 });
    }
    expect((await call(`GET ${at}`, { as: admin })).body).to.deep.equal(service);
  });

  it("writes every change to the audit log, without the key", async () => {
    const service = await aTicketService();
    await patch(service["id"], { name: "Aid" });
    const rotated = await call(`POST /services/${service["id"]}/rotate-key`, { as: admin });
    await aTicketService();
    await call(`DELETE /services/${service["id"]}`, { as: admin });
    const entries = await auditOf(admin.enterprise_id);
    expect(entries.map(({ action, object }) => `${action} ${object}`)).to.deep.equal([
      "create service",
      "update service",
      "rotate service",
      "create service",
      "delete service",
    ]);
    expect(entries.map(({ changes }) => changes)).to.deep.include.members([
      { name: { from: "Help", to: "Aid" } },
      { service_key: { from: "••••", to: "••••" } },
      { name: { from: "Aid" } },
    ]);
    const text = JSON.stringify(entries);
    expect(text).to.not.contain(service["service_key"]);
    expect(text).to.not.contain(rotated.body["service_key"]);
  });

  describe("survey", () => {
    let at: string;
    beforeEach(async () => {
      at = `/services/${(await aTicketService())["id"]}/survey`;
    });
    const put = (json: unknown) => call(`PUT ${at}`, { as: admin, json });
    const question = { label: { en: "Was it good?", fr: "Était-ce bien ?" } };

    it("is the default one until it is replaced", async () => {
      const { body } = await call(`GET ${at}`, { as: admin });
      expect(body).to.include({ enabled: true, feedback: true });
      expect(body["questions"]).to.have.length(1);
      expect(body["questions"][0].label).to.include({
        en: "Are you satisfied with the assistance?",
      });
      expect(Object.keys(body["questions"][0].label)).to.have.length(7);
      const survey = { enabled: false, questions: [question], feedback: false };
      const replaced = await put(survey);
      expect(replaced.status).to.equal(200);
      expect(replaced.body).to.deep.equal(survey);
      expect((await call(`GET ${at}`, { as: admin })).body).to.deep.equal(survey);
      const entries = await auditOf(admin.enterprise_id);
      expect(entries.at(-1)).to.deep.include({ action: "update", object: "survey" });
    });

    it("has one to five questions, each with a text in some language", async () => {
      const survey = { enabled: true, questions: [question], feedback: true };
      for (const [json, field] of [
        [{ ...survey, questions: [] }, "questions"],
        [{ ...survey, questions: Array.from({ length: 6 }, () => question) }, "questions"],
        [{ ...survey, questions: [question, { label: {} }] }, "questions[1].label"],
        [{ ...survey, questions: [{ label: { en: " " } }] }, "questions[0].label.en"],
        [{ ...survey, questions: [{ label: { xx: "?" } }] }, "questions[0].label.xx"],
        [{ ...survey, questions: [{ label: { en: 1 } }] }, "questions[0].label.en"],
        [{ ...survey, enabled: "yes" }, "enabled"],
        [{ ...survey, more: 1 }, "more"],
      ] as const) {
        const { body } = await put(json);
        expect(body, field).to.include({ status: 400, details: `Parameter ${field}` });
      }
      expect((await put({ enabled: true })).body).to.include({ status: 400, code: 9 });
      const five = { ...survey, questions: Array.from({ length: 5 }, () => question) };
      expect((await put(five)).status).to.equal(200);
    });
  });
});
