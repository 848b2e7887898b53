import { expect } from "chai";
import {
  certificateAad,
  headersAad,
  keysAad,
  oauth2Aad,
  secretsAad,
} from "../../../src/contracts/subscriptions.ts";
import {
  createEndpointConfigs,
  loadEndpoint,
  type EndpointConfig,
  type EndpointLookup,
} from "../../../src/pipeline/ledger/endpoints.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { useDatabase } from "../../support/database.ts";
import { anEnterprise } from "../../support/factories.ts";
import { anOAuth2Client } from "../../support/oauth2-server.ts";
import { aReceivingSubscription, testSecret } from "../../support/pipeline.ts";
import { testBox } from "../../support/secret-box.ts";

const client = anOAuth2Client();
const certificate = { certificate: "PEM", key: "PEM", ca: null };
function aKeyPair(name: string, until: string | null) {
  return {
    privateKey: `whsk_${name}`,
    publicKey: `whpk_${name}`,
    until,
  };
}

describe("the endpoint of a subscription", () => {
  const database = useDatabase();
  const url = "https://receiver.test/hook";

  const set = async (id: number, columns: Record<string, unknown>): Promise<number> => {
    const names = Object.keys(columns);
    const [row] = await rowsOf<{ revision: number }>(
      database.db,
      `UPDATE subscriptions SET revision = revision + 1000000,
         ${names.map(() => "?? = ?").join(", ")} WHERE id = ? RETURNING revision`,
      [...names.flatMap((name) => [name, columns[name]]), id],
    );
    return row?.revision ?? 0;
  };
  const aSubscriptionWith = async (
    columnsOf: (owner: number, id: number) => Record<string, unknown>,
  ) => {
    const { id: enterpriseId } = await anEnterprise(database.db);
    const { id } = await aReceivingSubscription(database.db, { url, enterpriseId });
    const columns = columnsOf(enterpriseId, id);
    const revision = Object.keys(columns).length === 0 ? 0 : await set(id, columns);
    return { id, enterpriseId, revision };
  };
  const seal = (value: unknown, aad: string): Buffer => testBox.seal(JSON.stringify(value), aad);
  const targetOf = (found: EndpointLookup): EndpointConfig => {
    if (found.kind === "unusable") {
      throw new Error(found.reason);
    }
    return found.endpoint;
  };
  const read = async (id: number) => targetOf(await loadEndpoint(database.db, testBox, id));

  it("has no authentication and the default schedule without settings", async () => {
    const { id } = await aSubscriptionWith(() => ({}));
    expect(await read(id)).to.deep.include({
      url,
      headers: [],
      secrets: [{ secret: testSecret, until: null }],
      retrySchedule: null,
      authOptions: null,
    });
  });

  it("contains all other settings, decrypted", async () => {
    const keys = [aKeyPair("old", "2026-11-23T00:00:00Z"), aKeyPair("new", null)];
    const { id } = await aSubscriptionWith((owner, own) => ({
      retry_schedule: [5, 60],
      signatures: ["v1", "v1a"],
      header_presets: ["github"],
      keys_sealed: seal(keys, keysAad(owner, own)),
      oauth2_sealed: seal(client, oauth2Aad(owner, own)),
      certificate_sealed: seal(certificate, certificateAad(owner, own)),
      headers_sealed: seal([{ name: "X-Key", value: "k" }], headersAad(owner, own)),
    }));
    const target = await read(id);
    expect(target.retrySchedule).to.deep.equal([5, 60]);
    expect(target.headers).to.deep.equal([{ name: "X-Key", value: "k" }]);
    expect(target.authOptions).to.deep.equal({
      hasV1: true,
      keys: keys.toReversed(),
      presets: ["github"],
      oauth2: client,
      certificate,
    });
  });

  it("has no keys if v1a is off, even if they are stored", async () => {
    const { id } = await aSubscriptionWith((owner, own) => ({
      header_presets: ["stripe"],
      keys_sealed: seal([aKeyPair("old", null)], keysAad(owner, own)),
    }));
    expect((await read(id)).authOptions).to.deep.include({ hasV1: true, keys: [] });
  });

  it("may use v1a signatures alone", async () => {
    const { id } = await aSubscriptionWith((owner, own) => ({
      signatures: ["v1a"],
      keys_sealed: seal([aKeyPair("only", null)], keysAad(owner, own)),
    }));
    expect((await read(id)).authOptions?.hasV1).to.equal(false);
  });

  it("has the newest secret first, in any stored order", async () => {
    const secrets = [
      { secret: "whsec_old", until: "2026-11-23T00:00:00Z" },
      { secret: "whsec_new", until: null },
    ];
    const { id } = await aSubscriptionWith((owner, own) => ({
      secret_sealed: seal(secrets, secretsAad(owner, own)),
    }));
    expect((await read(id)).secrets).to.deep.equal(secrets.toReversed());
  });

  it("is unusable if a secret was sealed for another row", async () => {
    for (const column of ["keys_sealed", "oauth2_sealed", "certificate_sealed"]) {
      const { id } = await aSubscriptionWith((owner, own) => ({
        signatures: ["v1", "v1a"],
        [column]: seal([], secretsAad(owner, own)),
      }));
      const found = await loadEndpoint(database.db, testBox, id);
      expect(found, column).to.deep.equal({
        kind: "unusable",
        reason: "its stored secrets cannot be decrypted with SECRET_KEY",
      });
    }
  });

  it("is read once per revision, and stays the same object", async () => {
    const { id, revision } = await aSubscriptionWith((owner, own) => ({
      oauth2_sealed: seal(client, oauth2Aad(owner, own)),
    }));
    const targets = createEndpointConfigs(database.db, testBox);
    const together = await Promise.all([1, 2, 3].map(() => targets.find(id, revision)));
    const [first, ...others] = together.map(targetOf);
    for (const other of [...others, targetOf(await targets.find(id, revision))]) {
      expect(other).to.equal(first);
    }
    const changed = await set(id, { url: "https://receiver.test/other" });
    expect(targetOf(await targets.find(id, revision))).to.equal(first);
    const next = targetOf(await targets.find(id, changed));
    expect(next.url).to.equal("https://receiver.test/other");
    expect(next.authOptions?.oauth2).to.not.equal(first?.authOptions?.oauth2);
    expect(targetOf(await targets.find(id, revision))).to.equal(next);
  });

  it("is unusable without a URL or a subscription", async () => {
    const { id } = await aSubscriptionWith(() => ({ is_active: false, url: null }));
    const deleted = await aSubscriptionWith(() => ({ is_active: false, deleted_at: new Date() }));
    const reasons = await Promise.all(
      [id, deleted.id, 999_999_999].map(async (one) => {
        const found = await loadEndpoint(database.db, testBox, one);
        return found.kind === "unusable" ? found.reason : "usable";
      }),
    );
    expect(reasons).to.deep.equal([
      "the subscription has no URL",
      "the subscription was deleted",
      "the subscription was deleted",
    ]);
  });
});
