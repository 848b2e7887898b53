import { expect } from "chai";
import type { OperationalNotice } from "../../../src/pipeline/ledger/notices.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { useDatabase } from "../../support/database.ts";
import { anEnterprise } from "../../support/factories.ts";
import { useNotices } from "../../support/notices.ts";
import { useRedis } from "../../support/redis.ts";

describe("notices about dead deliveries", () => {
  const database = useDatabase();
  const notices = useNotices(database, useRedis());
  const { write, events, mails, aReceiver } = notices;
  const dead = (
    more: Partial<Extract<OperationalNotice, { kind: "delivery.dead" }>> = {},
  ): OperationalNotice => ({
    kind: "delivery.dead",
    enterpriseId: notices.enterpriseId,
    subscriptionId: notices.subscriptionId,
    deliveryId: 41,
    sequence: 9,
    eventId: "evt_1",
    object: "ticket",
    objectId: "1001",
    attempts: 10,
    lastResult: "5xx",
    ...more,
  });

  it("are events only, with everything that identifies the delivery", async () => {
    await aReceiver({ filters: ["delivery.dead"] });
    await write(
      dead(),
      dead({ deliveryId: 42, sequence: 10, object: "conversation", objectId: "8f14-uid" }),
      dead({ deliveryId: 43, sequence: 11, eventId: "", objectId: "" }),
    );
    const notified = await events();
    expect(notified.map(({ type: what, objectId }) => `${what} ${objectId}`)).to.deep.equal([
      "delivery.dead 41",
      "delivery.dead 42",
      "delivery.dead 43",
    ]);
    expect(notified[0]).to.deep.include({
      key: `subscription:${notices.subscriptionId}`,
      props: {
        subscriptionId: notices.subscriptionId,
        sequence: 9,
        eventId: "evt_1",
        object: "ticket",
        objectId: 1001,
        attempts: 10,
        lastResult: "5xx",
      },
    });
    expect(notified[1]?.props).to.include({ object: "conversation", objectId: "8f14-uid" });
    expect(notified[2]?.props).to.include({ eventId: null, objectId: null });
    expect(await mails()).to.deep.equal([]);
  });

  it("omit deliveries that no other active webhook of the enterprise selects", async () => {
    await aReceiver({ filters: ["*", "ticket.*", "subscription.*"] });
    await aReceiver({ filters: ["delivery.*"], is_active: false });
    const elsewhere = await anEnterprise(database.db);
    await aReceiver({ enterprise_id: elsewhere.id, filters: ["delivery.*"] });
    await rowsOf(database.db, "UPDATE subscriptions SET filters = '{delivery.*}' WHERE id = ?", [
      notices.subscriptionId, // a webhook never receives events about itself
    ]);
    await write(dead());
    expect(await events()).to.deep.equal([]);
    await aReceiver({ filters: ["delivery.*"] });
    await write(dead());
    expect(await events()).to.have.length(1);
  });

  it("are not caused by dead deliveries of operational events", async () => {
    await aReceiver({ filters: ["delivery.*", "subscription.*"] });
    await write(dead({ object: "delivery" }), dead(), dead({ object: "subscription" }));
    expect((await events()).map(({ props }) => props["object"])).to.deep.equal(["ticket"]);
  });
});
