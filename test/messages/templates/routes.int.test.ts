import { expect } from "chai";
import { useDatabase } from "../../support/database.ts";
import { useMessageApi, useMessaging } from "../../support/messages.ts";
import { aTestUser, aTicketFixture } from "../../support/tickets.ts";

const at = "2026-11-20T10:00:00+00:00";

describe("the operations of templates", () => {
  const database = useDatabase();
  const harness = useMessaging(database);
  const call = useMessageApi(database, harness);

  const ofService = (): string => `/service/${harness.fixture.service.id}/templates`;
  const ofEnterprise = (): string => `/enterprises/${harness.fixture.enterpriseId}/templates`;
  const admin = (operation: string, json?: unknown) =>
    call(operation, { as: harness.fixture.admin, ...(json === undefined ? {} : { json }) });

  const sms = { kind: "ticket", channel: "sms", language: "en", text: "Now: {{link}}" };
  const mail = {
    kind: "ticket",
    channel: "email",
    language: "en",
    subject: "For {{firstname}}",
    text: "Hello\n\n{{link}}",
  };

  it("put, list, change and delete, each with an audit entry", async () => {
    const first = await admin(`PUT ${ofService()}`, sms);
    const { id } = first.body;
    const template = {
      id,
      serviceId: harness.fixture.service.id,
      ...sms,
      subject: null,
      html: null,
      created: at,
      modified: at,
    };
    expect(first.status).to.equal(200);
    expect(first.body).to.deep.equal(template);
    harness.features.clock.advance(60_000);
    const changed = await admin(`PUT ${ofService()}`, { ...sms, text: "Soon: {{link}}" });
    const later = { ...template, text: "Soon: {{link}}", modified: "2026-11-20T10:01:00+00:00" };
    expect(changed.body).to.deep.equal(later);
    expect((await admin(`GET ${ofService()}`)).body).to.deep.equal({ total: 1, data: [later] });
    expect((await admin(`GET ${ofEnterprise()}`)).body).to.deep.equal({ total: 0, data: [] });
    expect((await admin(`DELETE ${ofService()}/${id}`)).status).to.equal(204);
    expect((await admin(`DELETE ${ofService()}/${id}`)).status).to.equal(404);
    const { audited } = harness.features;
    expect(audited.map(({ action, object, objectId }) => [action, object, objectId])).to.deep.equal(
      [
        ["create", "template", id],
        ["update", "template", id],
        ["delete", "template", id],
      ],
    );
    expect(audited[1]).to.deep.include({
      enterpriseId: harness.fixture.enterpriseId,
      userId: harness.fixture.admin.id,
      login: harness.fixture.admin.login,
      changes: { text: { from: "Now: {{link}}", to: "Soon: {{link}}" } },
    });
  });

  it("keep one template per scope, kind, channel and language, even under concurrency", async () => {
    const texts = Array.from({ length: 6 }, (_, index) => `${index}: {{link}}`);
    const answers = await Promise.all(
      texts.map((text) => admin(`PUT ${ofEnterprise()}`, { ...sms, text })),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`))).to.have.property(
      "size",
      1,
    );
    expect((await admin(`GET ${ofEnterprise()}`)).body.total).to.equal(1);
  });

  it("name the invalid field and store nothing", async () => {
    for (const [json, code, field] of [
      [{ ...sms, text: "{{link}} {{age}}" }, 10, "text"],
      [{ ...sms, text: "{{link}} {{{firstname}}}" }, 10, "text"],
      [{ ...sms, kind: "letter" }, 10, "kind"],
      [{ ...sms, language: "xx" }, 10, "language"],
      [{ ...mail, subject: undefined }, 9, "subject"],
      [{ ...mail, html: "{{#link}}{{/link}}" }, 10, "html"],
    ] as const) {
      const answer = await admin(`PUT ${ofService()}`, json);
      expect([answer.status, answer.body.code, answer.body.errors[0].field]).to.deep.equal([
        400,
        code,
        field,
      ]);
    }
    expect((await admin(`GET ${ofService()}`)).body.total).to.equal(0);
  });

  it("preview the effective text: the service's, the enterprise's, the built-in one", async () => {
    const path = `POST ${ofService()}/preview`;
    const wanted = { kind: "ticket", channel: "sms", language: "en" };
    const link = "https://video.example/v/0123456789ABCDEFabcdef";
    const builtIn = await admin(path, wanted);
    expect(builtIn.body).to.include({ ...wanted, subject: null, html: null, segments: 1 });
    expect(builtIn.body.encoding).to.equal("GSM-7");
    await admin(`PUT ${ofEnterprise()}`, { ...sms, text: "E: {{link}}" });
    expect((await admin(path, wanted)).body.text).to.equal(`E: ${link}`);
    await admin(`PUT ${ofService()}`, { ...sms, text: "S: {{link}}" });
    expect((await admin(path, wanted)).body.text).to.equal(`S: ${link}`);
    expect((await admin(`POST ${ofEnterprise()}/preview`, wanted)).body.text).to.equal(
      `E: ${link}`,
    );
  });

  it("preview the built-in text on request, but not together with a text", async () => {
    const wanted = { kind: "ticket", channel: "sms", language: "en" };
    const { text } = (await admin(`POST ${ofEnterprise()}/preview`, wanted)).body;
    await admin(`PUT ${ofEnterprise()}`, { ...sms, text: "E: {{link}}" });
    await admin(`PUT ${ofService()}`, { ...sms, text: "S: {{link}}" });
    for (const path of [ofEnterprise(), ofService()]) {
      const order = { ...wanted, builtIn: true };
      expect((await admin(`POST ${path}/preview`, order)).body.text).to.equal(text);
      const both = await admin(`POST ${path}/preview`, { ...order, text: "{{link}}" });
      expect([both.status, both.body.code, both.body.errors]).to.deep.equal([
        ...[400, 10],
        [{ field: "builtIn", reason: "with_text" }],
      ]);
    }
    const echoed = { ...wanted, builtIn: true, variables: { enterprise: "{{enterprise}}" } };
    const shown = await admin(`POST ${ofEnterprise()}/preview`, echoed);
    expect(shown.body.text).to.contain("{{enterprise}}");
  });

  it("preview an unsaved text, and count its segments", async () => {
    const text = `${"ç".repeat(71)} {{firstname}} {{link}}`;
    const variables = { firstname: "Zoé" };
    const { body } = await admin(`POST ${ofService()}/preview`, { ...sms, text, variables });
    expect(body.text).to.contain("Zoé https://");
    expect(body).to.include({ encoding: "UCS-2", segments: 2 });
    const html = (await admin(`POST ${ofService()}/preview`, mail)).body;
    expect(html).to.include({ subject: "For Camille", segments: null, encoding: null });
    expect(html.html).to.contain("<!doctype html>");
    const bad = await admin(`POST ${ofService()}/preview`, { ...sms, text: "{{link}}{{x}}" });
    expect(bad.body.code).to.equal(10);
    expect((await admin(`GET ${ofService()}`)).body.total).to.equal(0);
  });

  it("allow only administrators, and only for their enterprise", async () => {
    const stranger = await aTicketFixture(database.db);
    for (const operation of [`GET ${ofService()}`, `GET ${ofEnterprise()}`]) {
      expect((await call(operation, { as: stranger.admin })).status).to.equal(404);
    }
    for (const path of [ofService(), ofEnterprise()]) {
      expect((await call(`PUT ${path}`, { as: stranger.admin, json: sms })).status).to.equal(404);
    }
    const put = await admin(`PUT ${ofService()}`, sms);
    const { id } = put.body;
    const theirs = `/service/${stranger.service.id}/templates/${id}`;
    expect((await call(`DELETE ${theirs}`, { as: stranger.admin })).status).to.equal(404);
    expect((await admin(`DELETE ${ofEnterprise()}/${id}`)).status).to.equal(404);
    const manager = await aTestUser(database.db, harness.fixture.enterpriseId, "manager");
    expect((await call(`PUT ${ofService()}`, { as: manager, json: sms })).body.code).to.equal(6);
  });
});
