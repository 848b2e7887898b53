import { readFileSync } from "node:fs";
import { expect } from "chai";
import {
  certificateAad,
  keysAad,
  oauth2Aad,
  type SigningKeyPair,
} from "../../src/contracts/subscriptions.ts";
import type { Caller } from "../../src/http/route.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { useDatabase } from "../support/database.ts";
import { aCaller, startWebhookApi, type Call, type WebhookApi } from "../support/webhook-api.ts";

function read(name: string): string {
  return readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url), "utf8");
}

const url = "https://receiver.example/hook";
const elsewhere = "https://other.example/hook";
const oauth2 = {
  tokenUrl: "https://receiver.example/token",
  clientId: "sightline",
  clientSecret: "oauth2-s3cret",
  scope: "events",
  audience: "crm",
  authentication: "form",
};
const clientCertificate = {
  certificate: read("client-a.pem"),
  key: read("client-a.key"),
  ca: read("client-ca.pem"),
};
const shownCertificate = {
  ...clientCertificate,
  subject: "CN=client-a",
  expires: "2099-01-01T00:00:00+00:00",
  key: "••••",
};

describe("settings of a webhook, through the API,", () => {
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
  after(() => api.close());

  const aWebhook = async (settings: object = {}): Promise<string> => {
    const { status, body } = await call("POST", "/webhooks", { url, ...settings });
    expect(status, JSON.stringify(body)).to.equal(201);
    return `/webhooks/${body["id"]}`;
  };
  const refused = async (
    answer: ReturnType<Call>,
    field: string,
    reason: string,
  ): Promise<string> => {
    const { status, body } = await answer;
    expect(status, JSON.stringify(body)).to.equal(400);
    expect(body["errors"]).to.deep.equal([{ field, reason }]);
    return String(body["detail"]);
  };
  const sealedOf = async (path: string) => {
    const [row] = await rowsOf<Record<"oauth2" | "certificate" | "keys", Buffer | null>>(
      database.db,
      `SELECT oauth2_sealed AS oauth2, certificate_sealed AS certificate, keys_sealed AS keys
       FROM subscriptions WHERE id = ?`,
      [Number(path.split("/")[2])],
    );
    if (row === undefined) {
      throw new Error("no such subscription");
    }
    return row;
  };

  const conditions = { "props.state": { $in: ["new", "closed"] } };
  for (const [name, first, second] of [
    ["maxPerSecond", 5, null],
    ["maxPerSecond", 1_000, 1],
    ["retrySchedule", [5, 60, 3_600], null],
    ["retrySchedule", [], Array.from({ length: 20 }, () => 30_000)],
    ["conditions", conditions, null],
    ["signatures", ["v1", "v1a"], ["v1a"]],
    ["headerPresets", ["github", "stripe"], []],
  ] as const) {
    it(`accepts ${name} ${JSON.stringify(first).slice(0, 40)} and then another value`, async () => {
      const path = await aWebhook({ [name]: first });
      expect((await call("GET", path)).body[name]).to.deep.equal(first);
      const { status, body } = await call("PATCH", path, { [name]: second });
      expect(status).to.equal(200);
      expect(body[name]).to.deep.equal(second);
      expect((await call("PATCH", path, { name: "x" })).body[name]).to.deep.equal(second);
      const [listed] = (await call("GET", "/webhooks")).body["data"] as Record<string, unknown>[];
      expect(listed?.[name]).to.deep.equal(second);
    });
  }

  it("normalises the order of a choice", async () => {
    const path = await aWebhook({
      signatures: ["v1a", "v1"],
      headerPresets: ["stripe", "github"],
    });
    expect((await call("GET", path)).body).to.deep.include({
      signatures: ["v1", "v1a"],
      headerPresets: ["github", "stripe"],
    });
  });

  for (const [input, field, reason] of [
    [{ maxPerSecond: 0 }, "maxPerSecond", "range"],
    [{ maxPerSecond: 1_001 }, "maxPerSecond", "range"],
    [{ retrySchedule: [0] }, "retrySchedule[0]", "range"],
    [{ retrySchedule: [86_401] }, "retrySchedule[0]", "range"],
    [{ retrySchedule: Array.from({ length: 21 }, () => 1) }, "retrySchedule", "length"],
    [{ retrySchedule: Array.from({ length: 8 }, () => 86_400) }, "retrySchedule", "length"],
    [{ conditions: { $where: "1" } }, "conditions", "unknown"],
    [{ signatures: [] }, "signatures", "length"],
    [{ signatures: ["v2"] }, "signatures[0]", "enum"],
    [{ headerPresets: ["gitlab"] }, "headerPresets[0]", "enum"],
    [{ mode: "poll" }, "mode", "enum"],
    [{ oauth2: { ...oauth2, tokenUrl: "https://10.0.0.5/" } }, "oauth2.tokenUrl", "blocked_target"],
    [{ oauth2: { ...oauth2, tokenUrl: "ftp://receiver.example/" } }, "oauth2.tokenUrl", "scheme"],
    [{ oauth2: { ...oauth2, tokenUrl: "" } }, "oauth2.tokenUrl", "format"],
    [{ oauth2: { ...oauth2, clientId: "" } }, "oauth2.clientId", "length"],
    [
      { clientCertificate: { ...clientCertificate, key: read("client-b.key") } },
      "clientCertificate.key",
      "mismatch",
    ],
    [
      { headerPresets: ["github"], headers: [{ name: "x-hub-signature-256", value: "v" }] },
      "headers",
      "refused",
    ],
    [
      { headerPresets: ["stripe"], headers: [{ name: "Stripe-Signature", value: "v" }] },
      "headers",
      "refused",
    ],
    [{ oauth2, headers: [{ name: "authorization", value: "v" }] }, "headers", "refused"],
  ] as const) {
    it(`rejects ${JSON.stringify(input).slice(0, 70)}, at create and at change`, async () => {
      const path = await aWebhook();
      const { status, body } = await call("POST", "/webhooks", { url, ...input });
      expect(status, JSON.stringify(body)).to.equal(400);
      expect(body["errors"]).to.deep.equal([{ field, reason }]);
      const changed = await call("PATCH", path, input);
      expect(changed.status).to.equal(400);
      expect(changed.body["errors"]).to.deep.equal(body["errors"]);
    });
  }

  it("reports errors of a client certificate together with all others", async () => {
    const { body } = await call("POST", "/webhooks", {
      url: "http://receiver.example/hook",
      clientCertificate: { certificate: "x", key: "y" },
    });
    expect((body["errors"] as { field: string }[]).map(({ field }) => field)).to.have.members([
      ...["url", "clientCertificate.certificate", "clientCertificate.key"],
    ]);
  });

  it("allows an active pull webhook without a URL", async () => {
    const path = await aWebhook({ url: null, mode: "pull", active: true, filters: ["*"] });
    const { body } = await call("GET", path);
    expect(body).to.deep.include({ mode: "pull", url: null, active: true });
    expect(body["health"]).to.deep.include({ state: "pull", window: 0, pulled_to: 0 });
  });

  it("rejects a change of the mode", async () => {
    const path = await aWebhook();
    const detail = await refused(call("PATCH", path, { mode: "pull" }), "mode", "fixed");
    expect(detail).to.contain("push");
    expect((await call("PATCH", path, { mode: "push" })).status).to.equal(200);
  });

  for (const [field, value] of [
    ["url", url],
    ["ordered", true],
    ["maxInFlight", 3],
    ["maxPerSecond", 3],
    ["retrySchedule", [5]],
    ["headers", [{ name: "X-Key", value: "v" }]],
    ["headerPresets", ["github"]],
    ["oauth2", oauth2],
    ["clientCertificate", clientCertificate],
  ] as const) {
    it(`rejects ${field} on a pull webhook, which sends no requests`, async () => {
      const path = await aWebhook({ url: null, mode: "pull" });
      await refused(call("PATCH", path, { [field]: value }), field, "pull");
      await refused(call("POST", "/webhooks", { mode: "pull", [field]: value }), field, "pull");
      const { body } = await call("GET", path);
      expect((await call("PATCH", path, { [field]: body[field] })).status).to.equal(200);
    });
  }

  it("encrypts credentials for their row, shows them masked, and accepts the masked values", async () => {
    const path = await aWebhook({ oauth2, clientCertificate });
    const { body } = await call("GET", path);
    expect(body["oauth2"]).to.deep.equal({ ...oauth2, clientSecret: "••••" });
    expect(body["clientCertificate"]).to.deep.equal(shownCertificate);
    const same = { oauth2: body["oauth2"], clientCertificate: body["clientCertificate"] };
    expect((await call("PATCH", path, same)).status).to.equal(200);
    const sealed = await sealedOf(path);
    const open = (value: Buffer | null, aad: typeof oauth2Aad): unknown =>
      JSON.parse(
        api.secretBox.open(value ?? Buffer.of(), aad(admin.enterpriseId, Number(body["id"]))),
      );
    expect(open(sealed.oauth2, oauth2Aad)).to.deep.equal(oauth2);
    expect(open(sealed.certificate, certificateAad)).to.deep.equal(clientCertificate);
    const ended = await call("PATCH", path, { oauth2: null, clientCertificate: null });
    expect(ended.body).to.deep.include({ oauth2: null, clientCertificate: null });
    expect(await sealedOf(path)).to.deep.include({ oauth2: null, certificate: null });
  });

  it("does not send stored credentials to another origin", async () => {
    for (const [name, stored, shown] of [
      ["oauth2", oauth2, { ...oauth2, clientSecret: "••••" }],
      ["clientCertificate", clientCertificate, shownCertificate],
    ] as const) {
      const path = await aWebhook({ [name]: stored });
      await refused(call("PATCH", path, { url: elsewhere }), name, "masked");
      await refused(call("PATCH", path, { url: elsewhere, [name]: shown }), name, "masked");
      // Removing the URL first must not bypass the check.
      expect((await call("PATCH", path, { url: null })).status).to.equal(200);
      await refused(call("PATCH", path, { url: elsewhere }), name, "masked");
      const raw = await call("PATCH", path, { url: elsewhere, [name]: stored });
      expect(raw.status).to.equal(200);
      expect(raw.body["url"]).to.equal(elsewhere);
      await refused(call("PATCH", path, { url, [name]: shown }), name, "masked");
      expect((await call("PATCH", path, { url, [name]: null })).status).to.equal(200);
    }
  });

  it("does not send a stored client secret to a tokenUrl at another origin", async () => {
    const path = await aWebhook({ oauth2 });
    const moved = { ...oauth2, tokenUrl: "https://other.example/token" };
    const kept = { ...moved, clientSecret: "••••" };
    await refused(call("PATCH", path, { oauth2: kept }), "oauth2.clientSecret", "masked");
    expect((await call("PATCH", path, { oauth2: moved })).status).to.equal(200);
  });

  it("checks a stored tokenUrl again when the webhook is switched on", async () => {
    const path = await aWebhook({ oauth2 });
    const inside = { ...oauth2, tokenUrl: "https://10.0.0.5/token" };
    const id = Number(path.split("/")[2]);
    await rowsOf(database.db, "UPDATE subscriptions SET oauth2_sealed = ? WHERE id = ?", [
      api.secretBox.seal(JSON.stringify(inside), oauth2Aad(admin.enterpriseId, id)),
      id,
    ]);
    await refused(call("PATCH", path, { active: true }), "oauth2.tokenUrl", "blocked_target");
  });

  it("creates the key of v1a on first use, and shows the public key while it signs", async () => {
    const path = await aWebhook();
    expect((await call("GET", path)).body["publicKeys"]).to.deep.equal([]);
    const { body } = await call("PATCH", path, { signatures: ["v1", "v1a"] });
    const [shown] = body["publicKeys"] as { key: string; until: string | null }[];
    expect(shown?.key).to.match(/^whpk_[A-Za-z0-9+/]{43}=$/u);
    expect(shown?.until).to.equal(null);
    const { keys } = await sealedOf(path);
    const opened = api.secretBox.open(
      keys ?? Buffer.of(),
      keysAad(admin.enterpriseId, Number(body["id"])),
    );
    const [pair] = JSON.parse(opened) as SigningKeyPair[];
    expect(pair?.publicKey).to.equal(shown?.key);
    expect(JSON.stringify(body)).to.not.contain(pair?.privateKey.slice(5));
    const off = await call("PATCH", path, { signatures: ["v1"] });
    expect(off.body["publicKeys"]).to.deep.equal([]);
    const again = await call("PATCH", path, { signatures: ["v1a"] });
    expect(again.body["publicKeys"]).to.deep.equal([shown]);
  });

  it("removes the credentials of a deleted webhook", async () => {
    const path = await aWebhook({ oauth2, clientCertificate });
    await call("DELETE", path);
    expect(await sealedOf(path)).to.deep.include({ oauth2: null, certificate: null });
  });
});
