/** Accepted and rejected input for the creation of a ticket. */
import { expect } from "chai";
import { aPhone, createConference, createTicket, queryOf, refusalBy, succeed } from "../calls.ts";
import type { Service } from "../service.ts";

export function ticketCreationTests(service: Service): void {
  const refusalOf = async (operation: string) => refusalBy(service.admin, operation);

  const creation = (values: Readonly<Record<string, string>>): string =>
    `POST /api/tickets?${queryOf({ agent: service.agent.login, phone: aPhone, ...values })}`;

  describe("create a ticket", () => {
    it("P-01: accepts query, form and JSON, the body first, and answers 201 with its Location", async () => {
      const agent = service.agent.login;
      const json = { agent, phone: aPhone, reference: "json" };
      const form = { agent, phone: aPhone, reference: "form" };
      const query = queryOf({ ...form, reference: "query" });
      for (const [path, options, reference] of [
        [`/api/tickets?${query}`, {}, "query"],
        ["/api/tickets", { form }, "form"],
        ["/api/tickets", { json }, "json"],
        [`/api/tickets?${query}`, { json: { reference: "json" } }, "json"],
        [`/api/v3/tickets?${query}`, {}, "query"],
      ] as const) {
        const answer = await service.admin.call(`POST ${path}`, options);
        expect([answer.status, answer.body.reference]).to.deep.equal([201, reference]);
        const location = answer.headers.get("location") ?? "";
        expect(await succeed(service.admin, `GET ${location}`)).to.deep.equal({
          ...answer.body,
          ...{ priority: 2, language: null, geoloc: null },
        });
      }
    });

    it("P-02: needs an agent that exists and is active", async () => {
      expect(await refusalOf(creation({ agent: "nobody@demo.example" }))).to.deep.equal([
        400,
        10,
        "Parameter agent",
      ]);
      expect(await refusalOf(`POST /api/tickets?${queryOf({ phone: aPhone })}`)).to.deep.equal([
        400,
        9,
        "Parameter agent",
      ]);
    });

    it("P-03, P-04: needs an email address or a phone number with its country code", async () => {
      const bare = `POST /api/tickets?${queryOf({ agent: service.agent.login })}`;
      expect(await refusalOf(bare)).to.deep.equal([400, 9, "Parameter email"]);
      expect(await refusalOf(`${bare}&email=nobody`)).to.deep.equal([400, 10, "Parameter email"]);
      for (const phone of ["0612345678", "33612345678", "+331", "abc"]) {
        const refused = [400, 10, "Parameter phone"];
        expect(await refusalOf(creation({ phone })), phone).to.deep.equal(refused);
      }
      const mail = await createTicket(service, { email: "Ann@Guests.EXAMPLE" });
      expect(mail.requestor).to.deep.equal({ email: "Ann@guests.example" });
      const zeros = await createTicket(service, { phone: "0033 6 12 34 56 78" });
      expect(zeros.requestor).to.deep.equal({ phone: aPhone });
    });

    it("P-05, P-14: invites when invite is 1 or true, and sends nothing unless asked", async () => {
      for (const invite of ["1", "true", "TRUE"]) {
        expect((await createTicket(service, { invite })).state, invite).to.equal("invited");
      }
      const quiet = `quiet-${Date.now()}@guests.example`;
      const loud = `loud-${Date.now()}@guests.example`;
      const states = [
        (await createTicket(service, { email: quiet })).state,
        (await createTicket(service, { email: quiet, invite: "0" })).state,
        (await createConference(service, { participants: quiet })).status,
      ];
      expect(states).to.deep.equal(["new", "new", "scheduled"]);
      await createConference(service, { participants: loud, invite: "true" });
      const mailsTo = async (to: string): Promise<number> =>
        (await succeed(service.admin, `GET /api/emails?${queryOf({ to })}`)).total;
      expect([await mailsTo(quiet), await mailsTo(loud)]).to.deep.equal([0, 1]);
    });

    it("P-06: keeps any reference up to 255 characters", async () => {
      const reference = `é/"'<&> ${"x".repeat(247)}`;
      expect((await createTicket(service, { reference })).reference).to.equal(reference);
      const refused = [400, 10, "Parameter reference"];
      expect(await refusalOf(creation({ reference: `${reference}x` }))).to.deep.equal(refused);
    });

    it("P-07: knows the scope sso only, even within a list", async () => {
      expect(await createTicket(service, { scope: "sso" })).to.have.property("sso_url");
      expect(await createTicket(service)).to.not.have.property("sso_url");
      for (const scope of ["SSO2", "sso,admin"]) {
        expect(await refusalOf(creation({ scope }))).to.deep.equal([400, 10, "Parameter scope"]);
      }
    });

    it("P-08: accepts the other fields of a ticket", async () => {
      const values = { subject: "S", type: "T", description: "D", name: "N" };
      const person = { firstname: "F", lastname: "L", language: "fr", priority: "3" };
      const { service_key, ...first } = await createTicket(service, { ...values, ...person });
      expect(first).to.include(values);
      const again = await createTicket(service, { service_key, startTime: "2030-01-01T08:00:00Z" });
      expect(again.service_key).to.equal(service_key);
      expect(again.start_time).to.equal("2030-01-01T08:00:00+00:00");
      for (const [field, value] of [
        ["duration", "1441"],
        ["priority", "5"],
        ["language", "xx"],
        ["startTime", "tomorrow"],
        ["service_key", "0".repeat(32)],
      ] as const) {
        const refused = [400, 10, `Parameter ${field}`];
        expect(await refusalOf(creation({ [field]: value })), field).to.deep.equal(refused);
      }
    });

    it("accepts the same Idempotency-Key once", async () => {
      const headers = { "idempotency-key": `key ${Date.now()}` };
      const first = await service.admin.call(creation({}), { headers });
      const second = await service.admin.call(creation({}), { headers });
      expect(second.status).to.equal(201);
      expect(second.body).to.deep.equal(first.body);
    });
  });
}
