import { expect } from "chai";
import { sign } from "node:crypto";
import { keysAad, type SigningKeyPair } from "../../src/contracts/subscriptions.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { ed25519PrivateKey } from "../../src/platform/ed25519.ts";
import { useDatabase } from "../support/database.ts";
import { anInbox, startInboxServer, type InboxServer } from "../support/inbox-server.ts";

describe("the inbox of a webhook with a key pair", () => {
  const database = useDatabase();
  let server: InboxServer;

  before(async () => {
    server = await startInboxServer(database.db);
  });
  after(async () => {
    await server.close();
  });

  it("verifies requests that are signed only with it", async () => {
    const { url, enterpriseId, subscriptionId: id } = await anInbox(database.db, server);
    const owner = { enterpriseId, userId: null, login: "admin@test.example" };
    await server.webhooks.update(owner, id, { signatures: ["v1a"] });
    const [row] = await rowsOf<{ sealed: Buffer }>(
      database.db,
      "SELECT keys_sealed AS sealed FROM subscriptions WHERE id = ?",
      [id],
    );
    const opened = server.secretBox.open(row?.sealed ?? Buffer.alloc(0), keysAad(enterpriseId, id));
    const [pair] = JSON.parse(opened) as SigningKeyPair[];
    const seed = Buffer.from(String(pair?.privateKey).slice("whsk_".length), "base64");
    const timestamp = String(Math.floor(Date.now() / 1000));
    const content = Buffer.from(`evt_1.${timestamp}.{}`);
    const signature = `v1a,${sign(null, content, ed25519PrivateKey(seed)).toString("base64")}`;
    const ids = { "webhook-id": "evt_1", "webhook-timestamp": timestamp };
    const headers = { ...ids, "webhook-signature": signature };
    expect((await fetch(url, { method: "POST", body: "{}", headers })).status).to.equal(204);
    const { requests } = (await (await fetch(`${url}/requests`)).json()) as { requests: object[] };
    expect(requests[0]).to.include({ verified: true });
  });
});
