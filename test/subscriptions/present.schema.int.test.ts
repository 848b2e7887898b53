import { expect } from "chai";
import type { Caller } from "../../src/http/route.ts";
import { useDatabase } from "../support/database.ts";
import { aSubscription } from "../support/factories.ts";
import { aCaller, startWebhookApi, type Call, type WebhookApi } from "../support/webhook-api.ts";

describe("webhooks API, with invalid input,", () => {
  const database = useDatabase();
  let api: WebhookApi;
  let admin: Caller;
  let call: Call;
  before(async () => {
    api = await startWebhookApi(database.db);
  });
  beforeEach(async () => {
    admin = await aCaller(database.db);
    call = api.as(admin);
  });
  after(async () => {
    await api.close();
  });

  for (const [input, reason] of [
    ["not a url", "format"],
    ["/hook", "format"],
    [`https://receiver.example/${"x".repeat(2048)}`, "length"],
    ["ftp://receiver.example/", "scheme"],
    ["javascript:alert(1)", "scheme"],
    ["http://receiver.example/", "scheme"],
    ["https://user:pass@receiver.example/", "userinfo"],
    ["https://receiver.example/#part", "fragment"],
    ["https://receiver.example:22/", "port"],
    ["https://127.0.0.1/", "blocked_target"],
    ["https://2130706433/", "blocked_target"],
    ["https://[::1]/", "blocked_target"],
    ["https://169.254.169.254/latest/meta-data", "blocked_target"],
    ["https://localhost/", "blocked_target"],
    ["https://inside.example/", "blocked_target"],
  ] as const) {
    it(`rejects the URL ${input.slice(0, 60)}, at create and at change`, async () => {
      const { body: stored } = await call("POST", "/webhooks", {});
      for (const answer of [
        await call("POST", "/webhooks", { url: input }),
        await call("PATCH", `/webhooks/${stored["id"]}`, { url: input }),
      ]) {
        expect(answer.status).to.equal(400);
        expect(answer.body["code"]).to.equal(10);
        expect(answer.body["errors"]).to.deep.equal([{ field: "url", reason }]);
      }
    });
  }

  it("reports a blocked address like a name that resolves to one", async () => {
    const literal = await call("POST", "/webhooks", { url: "https://10.0.0.5/" });
    const name = await call("POST", "/webhooks", { url: "https://inside.example/" });
    expect(name.body["detail"]).to.equal(literal.body["detail"]);
    expect(JSON.stringify(name.body)).to.not.contain("10.0.0.5");
  });

  it("checks a stored URL again when the webhook is switched on", async () => {
    const blocked = await aSubscription(database.db, {
      enterprise_id: admin.enterpriseId,
      is_active: false,
      url: "https://10.0.0.5/",
    });
    const { status, body } = await call("PATCH", `/webhooks/${blocked.id}`, { active: true });
    expect(status).to.equal(400);
    expect(body["errors"]).to.deep.equal([{ field: "url", reason: "blocked_target" }]);
  });

  for (const [what, raw, field] of [
    ["an unknown key", { colour: "red" }, "colour"],
    ["a name that is no text", { name: 7 }, "name"],
    ["a name with a control character", { name: "a\nb" }, "name"],
    ["a name that is too long", { name: "x".repeat(129) }, "name"],
    ["a switch that is none", { active: "yes" }, "active"],
    ["an order that is none", { ordered: 1 }, "ordered"],
    ["a window of nothing", { maxInFlight: 0 }, "maxInFlight"],
    ["a window that is too large", { maxInFlight: 10_001 }, "maxInFlight"],
    ["a filter that names nothing", { filters: ["ticket.*", "nope"] }, "filters[1]"],
    ["filters that are no list", { filters: "ticket.*" }, "filters"],
    ["a duplicate filter", { filters: ["*", "*"] }, "filters"],
    ["too many filters", { filters: Array.from({ length: 101 }, (_, n) => `f${n}`) }, "filters"],
    ["headers that are no list", { headers: { "X-Key": "v" } }, "headers"],
    ["a header without a value", { headers: [{ name: "X-Key" }] }, "headers[0].value"],
    ["a header with more than that", { headers: [{ name: "X", value: "", a: 1 }] }, "headers[0].a"],
    ["a refused header", { headers: [{ name: "Host", value: "x" }] }, "headers[0].name"],
    ["a masked value of nothing", { headers: [{ name: "X", value: "••••" }] }, "headers[0].value"],
    ["a secret that is none", { secret: "whsec_short" }, "secret"],
  ] as const) {
    it(`rejects ${what} and names the field`, async () => {
      const { status, body } = await call("POST", "/webhooks", raw);
      expect(status).to.equal(400);
      expect((body["errors"] as { field: string }[])[0]?.field).to.equal(field);
    });
  }

  it("does not let a change bring a secret", async () => {
    const { body } = await call("POST", "/webhooks", {});
    const secret = `whsec_${Buffer.alloc(32).toString("base64")}`;
    expect((await call("PATCH", `/webhooks/${body["id"]}`, { secret })).status).to.equal(400);
  });
});
