import { expect } from "chai";
import { createEndpointConfigs } from "../../src/pipeline/ledger/endpoints.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { useDatabase } from "../support/database.ts";
import { undecryptable as sealed } from "../support/secret-box.ts";
import { aClientCertificate } from "../support/send-clients.ts";
import { aCaller, startWebhookApi, type Call, type WebhookApi } from "../support/webhook-api.ts";

const url = "https://receiver.example/hook";

const columns = [
  ...["headers_sealed", "oauth2_sealed", "certificate_sealed"],
  ...["secret_sealed", "keys_sealed"],
];

const oauth2 = {
  ...{ tokenUrl: "https://login.example/token", clientId: "crm", clientSecret: "s3cret" },
};

const everything = ["headers", "oauth2", "clientCertificate", "secrets", "publicKeys"];

describe("a webhook whose values were encrypted with another key", () => {
  const database = useDatabase();
  let api: WebhookApi;
  let call: Call;
  let id: number;
  let path: string;
  before(async () => {
    api = await startWebhookApi(database.db);
  });
  beforeEach(async () => {
    call = api.as(await aCaller(database.db));
    const { body } = await call("POST", "/webhooks", {
      ...{ name: "CRM", url, active: true, filters: ["*"], signatures: ["v1", "v1a"] },
      headers: [{ name: "X-Key", value: "topsecret" }],
    });
    id = Number(body["id"]);
    path = `/webhooks/${id}`;
    await rowsOf(
      database.db,
      `UPDATE subscriptions SET ${columns.map((column) => `${column} = ?`).join(", ")} WHERE id = ?`,
      [...columns.map(() => sealed), id],
    );
  });
  after(async () => {
    await api.close();
  });

  const storedOf = async () =>
    (
      await rowsOf<object>(
        database.db,
        `SELECT ${columns.join(", ")} FROM subscriptions WHERE id = ?`,
        [id],
      )
    )[0];
  /** What the newest entry of the audit log says. */
  const lastChanges = async () => {
    const [entry] = await rowsOf<{ changes: object }>(
      database.db,
      "SELECT changes FROM audit_entries WHERE object_id = ? ORDER BY id DESC LIMIT 1",
      [String(id)],
    );
    return entry?.changes;
  };
  const undecryptable = async () => (await call("GET", path)).body["undecryptable"];
  const isUsable = async () => {
    const found = await createEndpointConfigs(database.db, api.secretBox).find(id, 0);
    return found.kind === "endpoint";
  };

  it("is shown with the defaults of these values, and says which they are", async () => {
    const { status, body } = await call("GET", "/webhooks");
    expect(status).to.equal(200);
    expect((body["data"] as object[])[0]).to.deep.include({
      ...{ id, name: "CRM", url, active: true },
      ...{ headers: [], oauth2: null, clientCertificate: null, secrets: [], publicKeys: [] },
      undecryptable: everything,
    });
    expect(await isUsable()).to.equal(false);
  });

  it("keeps them as they are stored when something else changes, or what was read is sent back", async () => {
    const before = await storedOf();
    const asRead = { headers: [], oauth2: null, clientCertificate: null };
    for (const change of [{ name: "ERP" }, { active: false }, { active: true }, asRead]) {
      const { status, body } = await call("PATCH", path, change);
      expect(status).to.equal(200);
      expect(body).to.deep.include({ ...change, undecryptable: everything });
    }
    expect((await call("POST", `${path}/rotate-secret`, {})).status).to.equal(200);
    expect({ ...(await storedOf()), secret_sealed: sealed }).to.deep.equal(before);
  });

  it("sends again once they are given anew and the secret and the key are rotated", async () => {
    const steps = [
      () => call("PATCH", path, { headers: [{ name: "X-Key", value: "new" }] }),
      () => call("PATCH", path, { oauth2 }),
      () => call("PATCH", path, { oauth2: null }),
      () => call("PATCH", path, { clientCertificate }),
      () => call("POST", `${path}/rotate-secret`, {}),
      () => call("POST", `${path}/rotate-key`, {}),
    ];
    const clientCertificate = await aClientCertificate("client-a");
    const left: unknown[] = [];
    for (const step of steps) {
      expect((await step()).status).to.equal(200);
      left.push(await undecryptable());
    }
    expect(left).to.deep.equal([
      ["oauth2", "clientCertificate", "secrets", "publicKeys"],
      ["clientCertificate", "secrets", "publicKeys"],
      ["clientCertificate", "secrets", "publicKeys"],
      ["secrets", "publicKeys"],
      ["publicKeys"],
      [],
    ]);
    expect(await isUsable()).to.equal(true);
    expect((await call("GET", path)).body["headers"]).to.deep.equal([
      { name: "X-Key", value: "••••" },
    ]);
  });

  it("loses on request those that can be removed, and the audit log says so", async () => {
    const { status, body } = await call("PATCH", path, { remove: ["headers", "oauth2"] });
    expect(status).to.equal(200);
    expect(body["undecryptable"]).to.deep.equal(["clientCertificate", "secrets", "publicKeys"]);
    const stored = await storedOf();
    expect(stored).to.include({ headers_sealed: null, oauth2_sealed: null });
    expect(stored).to.deep.include({ certificate_sealed: sealed, secret_sealed: sealed });
    expect(await lastChanges()).to.deep.equal({
      headers: { from: "••••", to: [] },
      oauth2: { from: "••••", to: null },
    });
  });

  it("cannot lose its secret, or a value that the same request sets", async () => {
    for (const change of [{ remove: ["secrets"] }, { remove: ["headers"], headers: [] }]) {
      const { status, body } = await call("PATCH", path, change);
      expect(status).to.equal(400);
      expect(JSON.stringify(body)).to.contain("remove");
    }
    expect(await undecryptable()).to.deep.equal(everything);
  });

  it("is tried again without a pause once a value is removed or the secret rotated", async () => {
    const steps = [
      () => call("PATCH", path, { remove: ["headers"] }),
      () => call("POST", `${path}/rotate-secret`, {}),
    ];
    for (const step of steps) {
      await rowsOf(
        database.db,
        `UPDATE subscription_health SET failures_in_row = 20, failing_since = now(),
           probe_at = now() + interval '1 hour' WHERE subscription_id = ?`,
        [id],
      );
      const failing = (await call("GET", path)).body["health"] as { failures_in_row: number };
      expect(failing.failures_in_row).to.equal(20);
      const { body } = await step();
      expect(body["health"]).to.include({ failures_in_row: 0, next_probe: null });
    }
  });

  it("removes readable values in the same way", async () => {
    await call("PATCH", path, { headers: [{ name: "X-Key", value: "new" }], oauth2 });
    const { body } = await call("PATCH", path, { remove: ["headers", "oauth2"] });
    expect(body).to.deep.include({ headers: [], oauth2: null });
  });

  it("cannot keep a masked value, nor take them to another origin", async () => {
    const headers = [{ name: "X-Key", value: "••••" }];
    const moved = "https://receiver.example:8443/hook";
    for (const change of [{ headers }, { url: moved }, { url: moved, headers: [] }]) {
      const { status, body } = await call("PATCH", path, change);
      expect(status).to.equal(400);
      expect(JSON.stringify(body)).to.contain("masked");
    }
    const cleared = { headers: [], oauth2: null, clientCertificate: null };
    const { status, body } = await call("PATCH", path, { url: moved, ...cleared });
    expect(status).to.equal(200);
    expect(body).to.deep.include({ url: moved, undecryptable: ["secrets", "publicKeys"] });
    expect(await lastChanges()).to.deep.include({
      headers: { from: "••••", to: [] },
      oauth2: { from: "••••", to: null },
      clientCertificate: { from: "••••", to: null },
    });
  });

  it("says nothing of keys that do not sign, because they cannot be rotated", async () => {
    expect((await call("PATCH", path, { signatures: ["v1"] })).status).to.equal(200);
    expect(await undecryptable()).to.not.include("publicKeys");
    const { body } = await call("PATCH", path, { signatures: ["v1", "v1a"] });
    expect(body["publicKeys"]).to.have.length(1);
    expect(await undecryptable()).to.not.include("publicKeys");
  });
});
