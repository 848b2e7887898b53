import { expect } from "chai";
import { rowsOf } from "../../../../src/platform/db/pool.ts";
import { useDatabase } from "../../../support/database.ts";
import { useDeliveryLog, type LogPage } from "../../../support/delivery-log-api.ts";
import { aSubscription } from "../../../support/factories.ts";
import { aCaller } from "../../../support/webhook-api.ts";

describe("the delivery log of all webhooks", () => {
  const database = useDatabase();
  const { current, callAs, call, aDelivery } = useDeliveryLog(database);

  const search = async (query = "", as = call): Promise<LogPage> =>
    (await as(`/webhooks/deliveries${query}`)).body as never;
  const idsOf = ({ data }: LogPage): number[] => data.map(({ id }) => id);
  const anotherSubscription = async (columns: Record<string, unknown> = {}): Promise<number> =>
    (await aSubscription(database.db, { enterprise_id: current.admin.enterpriseId, ...columns }))
      .id;

  it("merges all webhooks, including deleted ones, newest first", async () => {
    const gone = await anotherSubscription({ is_active: false, deleted_at: new Date() });
    const a = await aDelivery();
    const b = await aDelivery({ subscription_id: gone });
    const c = await aDelivery();
    const page = await search();
    expect(idsOf(page)).to.deep.equal([c, b, a]);
    expect(page.data[1]?.["webhook"]).to.deep.include({ id: gone, deleted: true });
    expect(idsOf(await search(`?webhook=${gone}`))).to.deep.equal([b]);
    expect((await call(`/webhooks/deliveries/${b}`)).status).to.equal(200);
    expect((await call(`/webhooks/${gone}/deliveries/${b}`)).status).to.equal(404);
  });

  it("shows nothing of another enterprise, by any filter, cursor or id", async () => {
    const id = await aDelivery({ state: "dead" }, { object_id: "77", event_id: "evt_ours" });
    await aDelivery({ state: "dead" });
    const { next_cursor: cursor } = await search("?status=dead&limit=1");
    const stranger = callAs(await aCaller(database.db));
    for (const query of [
      "",
      "?status=dead",
      "?object=ticket&objectId=77",
      "?event_id=evt_ours",
      "?eventId=evt_ours",
    ]) {
      expect(idsOf(await search(query)), query).to.include(id);
      expect(idsOf(await search(query, stranger)), query).to.deep.equal([]);
    }
    const stolen = await stranger(`/webhooks/deliveries?status=dead&limit=1&cursor=${cursor}`);
    expect(stolen.body["errors"]).to.deep.equal([{ field: "cursor", reason: "mismatch" }]);
    const named = await stranger(`/webhooks/deliveries?webhook=${current.subscriptionId}`);
    expect(named.body["errors"]).to.deep.equal([{ field: "webhook", reason: "unknown" }]);
    const forged = Buffer.from(JSON.stringify({ v: 1, b: id + 1, f: "x" })).toString("base64url");
    expect((await stranger(`/webhooks/deliveries?cursor=${forged}`)).status).to.equal(400);
    expect((await stranger(`/webhooks/deliveries/${id}`)).status).to.equal(404);
    expect((await stranger(`/webhooks/${current.subscriptionId}/deliveries`)).status).to.equal(404);
  });

  it("shows each delivery once during concurrent inserts and state changes", async () => {
    const other = await anotherSubscription();
    const made: number[] = [];
    for (let n = 0; n < 40; n += 1) {
      made.push(await aDelivery(n % 3 === 0 ? { subscription_id: other } : {}));
    }
    const seen: number[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query: string = cursor === "" ? "?limit=7" : `?limit=7&cursor=${cursor}`;
      const page: LogPage = await search(query);
      seen.push(...idsOf(page));
      cursor = page.next_cursor;
      await aDelivery({ subscription_id: other });
      await aDelivery();
      await rowsOf(
        database.db,
        "UPDATE deliveries SET state = 'retry', last_result = '5xx' WHERE id = ANY(?::bigint[])",
        [made.filter((id) => id % 2 === 0)],
      );
    }
    expect(seen).to.deep.equal(made.toReversed());
  });

  it("shows the replay of a delivery, and the repeated delivery", async () => {
    const [replay] = await rowsOf<{ id: number }>(
      database.db,
      `INSERT INTO replays (enterprise_id, subscription_id, state, criteria, max_per_second,
         phase, last_sequence, last_event_row_id, created_at)
       VALUES (?, ?, 'running', '{}', 10, 'x', 0, 0, now() - interval '1 hour') RETURNING id`,
      [current.admin.enterpriseId, current.subscriptionId],
    );
    const first = await aDelivery();
    const again = await aDelivery({ replay_id: replay?.id, replay_of: first });
    const page = await search(`?replay=${replay?.id}`);
    expect(page.data).to.have.length(1);
    expect(page.data[0]).to.deep.include({ id: again, replay: replay?.id, replay_of: first });
    expect(idsOf(await search("?replay=999999"))).to.deep.equal([]);
  });
});
