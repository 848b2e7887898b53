import { readFileSync } from "node:fs";
import { Writable } from "node:stream";
import { expect } from "chai";
import { pino } from "pino";
import { createAudit } from "../../src/audit/audit-log.ts";
import { keysAad, secretsAad } from "../../src/contracts/subscriptions.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { createSecretBox } from "../../src/platform/secret-box.ts";
import type { Actor } from "../../src/http/authorize.ts";
import { presentSubscription } from "../../src/subscriptions/present.ts";
import { createWebhookService, type WebhookService } from "../../src/subscriptions/service.ts";
import { useDatabase } from "../support/database.ts";
import { anEnterprise } from "../support/factories.ts";

function tls(name: string): string {
  return readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url), "utf8");
}

/** The base64 lines of a PEM key. */
function linesOf(pem: string): string[] {
  return pem.split("\n").filter((line) => line.length > 20 && !line.startsWith("-----"));
}

describe("secrets of a webhook", () => {
  const database = useDatabase();
  const secretBox = createSecretBox(Buffer.alloc(32, 7));
  let logged: string;
  let webhooks: WebhookService;
  let author: Actor;
  before(async () => {
    logged = "";
    const lines = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        logged += chunk.toString();
        done();
      },
    });
    webhooks = createWebhookService({
      db: database.db,
      secretBox,
      ids: randomIds,
      clock: systemClock,
      log: pino(lines),
      checkUrl: async (text) => ({ isAllowed: true, href: new URL(text).href }),
      inbox: { bases: [], deleteRequests: async () => undefined },
      audit: createAudit(),
      onChanged: () => undefined,
    });
    const { id: enterpriseId } = await anEnterprise(database.db);
    author = { enterpriseId, userId: null, login: "admin@test.example" };
  });

  const jsonOf = async (table: string, column: string, value: number): Promise<string> => {
    const rows = await rowsOf<{ row: string }>(
      database.db,
      `SELECT to_jsonb(t)::text AS row FROM ${table} t WHERE ${column} = ?`,
      [value],
    );
    return rows.map(({ row }) => row).join("\n");
  };
  const openedAs = (sealed: Buffer | null | undefined, aad: string): Record<string, string>[] =>
    JSON.parse(secretBox.open(sealed ?? Buffer.of(), aad)) as Record<string, string>[];

  it("are in no answer, log line, audit entry or row in the clear", async () => {
    const url = "https://receiver.example/hook";
    const { subscription, secret } = await webhooks.create(author, {
      url,
      active: true,
      filters: ["*"],
      headers: [{ name: "X-Key", value: "header-s3cret" }],
      signatures: ["v1", "v1a"],
      oauth2: { tokenUrl: url, clientId: "c", clientSecret: "oauth2-s3cret" },
      clientCertificate: { certificate: tls("client-a.pem"), key: tls("client-a.key") },
    });
    const { id } = subscription;
    const rotation = await webhooks.rotateSecret(author, id, { overlapHours: 24 });
    await webhooks.rotateKey(author, id, { overlapHours: 24 });
    await webhooks.update(author, id, {
      clientCertificate: { certificate: tls("client-b.pem"), key: tls("client-b.key") },
      oauth2: { tokenUrl: url, clientId: "c", clientSecret: "other-s3cret" },
      headers: [{ name: "X-Key", value: "next-header-s3cret" }],
    });
    const [row] = await rowsOf<{ secret_sealed: Buffer; keys_sealed: Buffer }>(
      database.db,
      "SELECT secret_sealed, keys_sealed FROM subscriptions WHERE id = ?",
      [id],
    );
    const { enterpriseId } = author;
    const signers = [
      ...openedAs(row?.secret_sealed, secretsAad(enterpriseId, id)).map((one) => one["secret"]),
      ...openedAs(row?.keys_sealed, keysAad(enterpriseId, id)).map((one) => one["privateKey"]),
    ];
    expect(signers).to.include.members([secret, rotation.secret]).and.have.length(4);
    const secrets = [
      "s3cret",
      ...signers.map((one = "") => one.slice("whsec".length + 1)),
      ...linesOf(tls("client-a.key")),
      ...linesOf(tls("client-b.key")),
    ];
    const seen = {
      answers: JSON.stringify([
        presentSubscription(await webhooks.get(author, id)),
        (await webhooks.list(author)).map((one) => presentSubscription(one)),
      ]),
      log: logged,
      audit: await jsonOf("audit_entries", "enterprise_id", enterpriseId),
      rows: await jsonOf("subscriptions", "id", id),
      revisions: await jsonOf("subscription_revisions", "subscription_id", id),
    };
    for (const [place, text] of Object.entries(seen)) {
      expect(text, place).to.have.length.greaterThan(100);
      for (const one of secrets) {
        expect(one.length, one).to.be.greaterThan(5);
        expect(text.includes(one), `${one.slice(0, 8)}… in ${place}`).to.equal(false);
      }
    }
    const created = JSON.stringify(presentSubscription(subscription, secret));
    expect(created.match(/whsec_/gu)).to.have.length(1);
    expect(created).to.not.contain("s3cret").and.not.contain("PRIVATE");
  });

  it("are not repeated when they are rejected", async () => {
    const input = { url: "https://receiver.example/", filters: [] };
    for (const wrong of [
      { clientCertificate: { certificate: tls("client-a.pem"), key: tls("client-b.key") } },
      { clientCertificate: { certificate: tls("client-a.key"), key: tls("client-a.key") } },
      { secret: "whsec_s3cret" },
    ]) {
      const thrown: unknown = await webhooks.create(author, { ...input, ...wrong }).catch((e) => e);
      expect(thrown).to.be.instanceOf(Error);
      const text = `${JSON.stringify(thrown)} ${(thrown as Error).message}`;
      for (const one of [
        "s3cret",
        ...linesOf(tls("client-a.key")),
        ...linesOf(tls("client-b.key")),
      ]) {
        expect(text).to.not.contain(one);
      }
    }
  });
});
