import { expect } from "chai";
import {
  keysAad,
  secretsAad,
  type SigningKeyPair,
  type SigningSecret,
} from "../../src/contracts/subscriptions.ts";
import type { Caller } from "../../src/http/route.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { toTimestamp } from "../../src/platform/timestamps.ts";
import { createTestClock, type TestClock } from "../support/clock.ts";
import { useDatabase } from "../support/database.ts";
import { aSubscription } from "../support/factories.ts";
import { aCaller, startWebhookApi, type Call, type WebhookApi } from "../support/webhook-api.ts";

const url = "https://receiver.example/hook";
const hour = 3_600_000;
const ownSecret = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;

describe("rotation of a webhook's secret and key", () => {
  const database = useDatabase();
  let api: WebhookApi;
  let clock: TestClock;
  let admin: Caller;
  let call: Call;
  let path: string;
  let first: string;
  before(async () => {
    clock = createTestClock();
    api = await startWebhookApi(database.db, clock);
  });
  beforeEach(async () => {
    admin = await aCaller(database.db);
    call = api.as(admin);
    const { body } = await call("POST", "/webhooks", { url, signatures: ["v1", "v1a"] });
    path = `/webhooks/${body["id"]}`;
    first = String(body["secret"]);
  });
  after(() => api.close());

  const idOf = (): number => Number(path.split("/")[2]);
  const stored = async (): Promise<{
    secrets: SigningSecret[];
    keys: SigningKeyPair[];
    revision: number;
    reason: string;
  }> => {
    const [row] = await rowsOf<{
      secret_sealed: Buffer;
      keys_sealed: Buffer;
      revision: number;
      reason: string;
    }>(
      database.db,
      `SELECT s.secret_sealed, s.keys_sealed, s.revision, r.reason
       FROM subscriptions s JOIN subscription_revisions r ON r.revision = s.revision
       WHERE s.id = ?`,
      [idOf()],
    );
    if (row === undefined) {
      throw new Error("no such subscription");
    }
    const open = (sealed: Buffer, aad: typeof keysAad): unknown =>
      JSON.parse(api.secretBox.open(sealed, aad(admin.enterpriseId, idOf())));
    return {
      ...row,
      secrets: open(row.secret_sealed, secretsAad) as SigningSecret[],
      keys: open(row.keys_sealed, keysAad) as SigningKeyPair[],
    };
  };
  const inHours = (hours: number): Date => new Date(clock.now().getTime() + hours * hour);

  it("returns a new secret once, while the old one signs for another day", async () => {
    const { status, body } = await call("POST", `${path}/rotate-secret`, {});
    expect(status).to.equal(200);
    expect(body["secret"])
      .to.match(/^whsec_/u)
      .and.not.equal(first);
    const until = toTimestamp(inHours(24));
    expect(body["secrets"]).to.deep.equal([{ until: null }, { until }]);
    expect((await stored()).secrets).to.deep.equal([
      { secret: body["secret"], until: null },
      { secret: first, until: inHours(24).toISOString() },
    ]);
    const { secret, ...shown } = body;
    expect((await call("GET", path)).body).to.deep.equal(shown);
    expect(secret).to.be.a("string");
  });

  it("ignores the old secret after the overlap, and removes it at the next rotation", async () => {
    await call("POST", `${path}/rotate-secret`, { overlapHours: 2 });
    clock.advance(2 * hour - 1);
    expect((await call("GET", path)).body["secrets"]).to.have.length(2);
    clock.advance(1);
    expect((await call("GET", path)).body["secrets"]).to.deep.equal([{ until: null }]);
    expect((await stored()).secrets.map(({ secret }) => secret)).to.include(first);
    await call("POST", `${path}/rotate-secret`, {});
    expect((await stored()).secrets.map(({ secret }) => secret)).to.not.include(first);
  });

  it("accepts a custom secret, and ends the old one at once without an overlap", async () => {
    const { body } = await call("POST", `${path}/rotate-secret`, {
      overlapHours: 0,
      secret: ownSecret,
    });
    expect(body["secret"]).to.equal(ownSecret);
    expect((await stored()).secrets).to.deep.equal([{ secret: ownSecret, until: null }]);
  });

  it("gives the subscription a new revision, which invalidates the workers' caches", async () => {
    const before = await stored();
    await call("POST", `${path}/rotate-secret`, {});
    const after = await stored();
    expect(after.revision).to.be.greaterThan(before.revision);
    expect(after.reason).to.equal("secret rotated");
    await call("POST", `${path}/rotate-key`, {});
    const last = await stored();
    expect(last.revision).to.be.greaterThan(after.revision);
    expect(last.reason).to.equal("key rotated");
  });

  it("creates a new key pair, and shows both public keys until the overlap ends", async () => {
    const [old] = (await call("GET", path)).body["publicKeys"] as { key: string }[];
    const { status, body } = await call("POST", `${path}/rotate-key`, { overlapHours: 168 });
    expect(status).to.equal(200);
    expect(body).to.not.have.property("secret");
    const [next, ended] = body["publicKeys"] as { key: string; until: string | null }[];
    expect(next?.key)
      .to.match(/^whpk_/u)
      .and.not.equal(old?.key);
    expect(next?.until).to.equal(null);
    expect(ended).to.deep.equal({ key: old?.key, until: toTimestamp(inHours(168)) });
    clock.advance(168 * hour);
    expect((await call("GET", path)).body["publicKeys"]).to.deep.equal([next]);
    const { keys, secrets } = await stored();
    expect(keys).to.have.length(2);
    expect(secrets).to.have.length(1);
  });

  it("lets five secrets sign at once, and after that only a rotation without an overlap", async () => {
    for (let made = 0; made < 4; made += 1) {
      expect((await call("POST", `${path}/rotate-secret`, {})).status).to.equal(200);
    }
    const before = await stored();
    const { status, body } = await call("POST", `${path}/rotate-secret`, {});
    expect(status).to.equal(409);
    expect(body["detail"]).to.contain("overlapHours");
    expect(await stored()).to.deep.equal(before);
    const last = await call("POST", `${path}/rotate-secret`, { overlapHours: 0 });
    expect(last.body["secrets"]).to.deep.equal([{ until: null }]);
  });

  it("rejects invalid input", async () => {
    for (const [operation, input, status, field] of [
      ["rotate-secret", { secret: first }, 400, "secret"],
      ["rotate-secret", { secret: "whsec_short" }, 400, "secret"],
      ["rotate-secret", { overlapHours: -1 }, 400, "overlapHours"],
      ["rotate-secret", { overlapHours: 169 }, 400, "overlapHours"],
      ["rotate-key", { overlapHours: 1.5 }, 400, "overlapHours"],
      ["rotate-key", { secret: ownSecret }, 400, "secret"],
    ] as const) {
      const { body, ...answer } = await call("POST", `${path}/${operation}`, input);
      expect(answer.status).to.equal(status);
      expect((body["errors"] as { field: string }[])[0]?.field).to.equal(field);
    }
    const { body } = await call("POST", "/webhooks", { url });
    const off = await call("POST", `/webhooks/${body["id"]}/rotate-key`, {});
    expect(off.status).to.equal(409);
    expect(off.body["detail"]).to.contain("v1a");
  });

  it("is bound to the enterprise and requires write permission", async () => {
    const stranger = api.as(await aCaller(database.db));
    const agent = api.as(await aCaller(database.db, "agent", admin.enterpriseId));
    for (const operation of ["rotate-secret", "rotate-key"]) {
      expect((await stranger("POST", `${path}/${operation}`, {})).status).to.equal(404);
      expect((await agent("POST", `${path}/${operation}`, {})).status).to.equal(403);
    }
    expect((await stored()).secrets).to.have.length(1);
  });

  it("keeps all secrets of concurrent rotations", async () => {
    const answers = await Promise.all(
      [1, 2, 3].map(() => call("POST", `${path}/rotate-secret`, {})),
    );
    const value = [first, ...answers.map(({ body }) => body["secret"])];
    const { secrets } = await stored();
    expect(secrets.map(({ secret }) => secret)).to.have.members(value);
    expect(secrets.filter(({ until }) => until === null)).to.have.length(1);
  });

  it("replaces secrets that cannot be decrypted any more", async () => {
    const broken = await aSubscription(database.db, { enterprise_id: admin.enterpriseId });
    const other = `/webhooks/${broken.id}`;
    expect((await call("GET", other)).body["secrets"]).to.deep.equal([]);
    const sealed = "SELECT secret_sealed FROM subscriptions WHERE id = ?";
    const before = await rowsOf(database.db, sealed, [broken.id]);
    expect((await call("PATCH", other, { name: "kept" })).status).to.equal(200);
    expect(await rowsOf(database.db, sealed, [broken.id])).to.deep.equal(before);
    const { body } = await call("POST", `${other}/rotate-secret`, {});
    expect(body["secrets"]).to.deep.equal([{ until: null }]);
  });

  it("is audited without the secret", async () => {
    const { body } = await call("POST", `${path}/rotate-secret`, { secret: ownSecret });
    await call("POST", `${path}/rotate-key`, { overlapHours: 1 });
    const entries = await rowsOf<{ action: string; changes: object }>(
      database.db,
      `SELECT action, changes FROM audit_entries WHERE enterprise_id = ? AND action = 'rotate'
       ORDER BY id`,
      [admin.enterpriseId],
    );
    const { keys } = await stored();
    expect(entries).to.deep.equal([
      {
        action: "rotate",
        changes: { secret: { from: "••••", to: "••••" }, overlapHours: { to: 24 } },
      },
      {
        action: "rotate",
        changes: {
          publicKey: { from: keys[1]?.publicKey, to: keys[0]?.publicKey },
          overlapHours: { to: 1 },
        },
      },
    ]);
    expect(body["secret"]).to.equal(ownSecret);
  });
});
