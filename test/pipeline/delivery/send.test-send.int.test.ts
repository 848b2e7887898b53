import { Webhook } from "standardwebhooks";
import { expect } from "chai";
import { headersAad, keysAad, oauth2Aad } from "../../../src/contracts/subscriptions.ts";
import { createTestSender } from "../../../src/pipeline/delivery/send.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { createAddressGuard } from "../../../src/platform/net/address-guard.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { useDatabase } from "../../support/database.ts";
import { anEnterprise } from "../../support/factories.ts";
import { startOAuth2Server } from "../../support/oauth2-server.ts";
import { aReceivingSubscription, testSecret } from "../../support/pipeline.ts";
import { useReceiver } from "../../support/receiver.ts";
import { testBox } from "../../support/secret-box.ts";

describe("a test send", () => {
  const database = useDatabase();
  const hook = useReceiver();
  const closers: (() => unknown)[] = [];
  afterEach("close all connections", async () => {
    for (const close of closers.splice(0)) {
      await close();
    }
  });

  const open = (areLocalReceiversAllowed = true) => {
    const sender = createTestSender({
      db: database.db,
      box: testBox,
      clock: systemClock,
      guard: createAddressGuard({ areLocalReceiversAllowed, allowList: [] }),
      timeoutMs: 1_000,
    });
    closers.push(() => sender.close());
    return sender;
  };
  const aSubscriptionAt = async (
    url: string,
    columnsOf: (owner: number, id: number) => Record<string, unknown> = () => ({}),
  ): Promise<number> => {
    const { id: enterpriseId } = await anEnterprise(database.db);
    const { id } = await aReceivingSubscription(database.db, { url, enterpriseId });
    for (const [name, value] of Object.entries(columnsOf(enterpriseId, id))) {
      await rowsOf(database.db, "UPDATE subscriptions SET ?? = ? WHERE id = ?", [name, value, id]);
    }
    return id;
  };
  const seal = (value: unknown, aad: string): Buffer => testBox.seal(JSON.stringify(value), aad);
  const event = { eventId: "evt_test", body: '{"event":"update","name":"Zoë"}' };

  it("is signed like a delivery, is marked as a test, and leaves the ledger unchanged", async () => {
    hook.receiver.answerWith([{ status: 201, body: "fine" }]);
    const subscriptionId = await aSubscriptionAt(hook.receiver.url, (owner, id) => ({
      is_active: false,
      header_presets: ["github"],
      headers_sealed: seal([{ name: "X-Key", value: "s3cret" }], headersAad(owner, id)),
    }));
    const sent = await open().send({ ...event, subscriptionId });
    const [request] = hook.receiver.requests;
    expect(request?.text).to.equal(event.body);
    expect(request?.headers).to.include({
      "webhook-id": "evt_test",
      "webhook-test": "true",
      "webhook-sequence": "0",
      "webhook-attempt": "1",
      "x-key": "s3cret",
    });
    expect(request?.headers).to.not.have.property("webhook-replay");
    new Webhook(testSecret).verify(request?.text ?? "", request?.headers as Record<string, string>);
    expect(sent).to.nested.include({ kind: "sent", "result.status": 201, "result.body": "fine" });
    expect(JSON.stringify(sent)).to.not.include("s3cret");
    const rows = await rowsOf<{ count: number }>(
      database.db,
      "SELECT count(*) AS count FROM deliveries",
    );
    expect(rows[0]?.count).to.equal(0);
  });

  it("is guarded like a delivery", async () => {
    const subscriptionId = await aSubscriptionAt(hook.receiver.url);
    const sent = await open(false).send({ ...event, subscriptionId });
    expect(sent).to.nested.include({ "result.failure": "blocked_target" });
    expect(hook.receiver.connections).to.equal(0);
  });

  it("ends within its time-out", async () => {
    hook.receiver.answerWith(["hang"]);
    const subscriptionId = await aSubscriptionAt(hook.receiver.url);
    const sent = await open().send({ ...event, subscriptionId });
    expect(sent).to.nested.include({ "result.failure": "timeout_response" });
  });

  it("requests a new token each time, so that its errors are visible", async () => {
    const server = await startOAuth2Server();
    closers.push(() => server.close());
    const subscriptionId = await aSubscriptionAt(server.receiverUrl, (owner, id) => ({
      oauth2_sealed: seal(server.clientOf("basic"), oauth2Aad(owner, id)),
    }));
    const sender = open();
    for (const count of [1, 2]) {
      const sent = await sender.send({ ...event, subscriptionId });
      expect(sent).to.nested.include({ "result.status": 200 });
      expect(sent.kind === "sent" && sent.headers["Authorization"]).to.equal("••••");
      expect(server.tokenRequests).to.equal(count);
    }
  });

  it("reports why nothing can be sent", async () => {
    const subscriptionId = await aSubscriptionAt(hook.receiver.url, (owner, id) => ({
      signatures: ["v1a"],
      keys_sealed: seal([], keysAad(owner, id + 1)),
    }));
    expect(await open().send({ ...event, subscriptionId })).to.deep.equal({
      kind: "unusable",
      reason: "its stored secrets cannot be decrypted with SECRET_KEY",
    });
  });
});
