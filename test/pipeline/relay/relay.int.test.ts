import { expect } from "chai";
import { toWakeWord } from "../../../src/contracts/events.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { useDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { anEvent } from "../../support/factories.ts";
import { readLedger } from "../../support/ledger.ts";
import { useRelays } from "../../support/relays.ts";

describe("the relay", () => {
  const database = useDatabase();
  const { setUp, batches, aListener } = useRelays(database);

  it("continues until it is stopped, with and without wake-ups", async () => {
    const relay = setUp();
    const { enterprise_id, id } = await aListener();
    const stop = new AbortController();
    const running = relay.run(stop.signal);
    await anEvent(database.db, { enterprise_id });
    relay.wake([]);
    await eventually(async () => expect(await readLedger(database.db, id)).to.have.length(1));
    await anEvent(database.db, { enterprise_id });
    await eventually(async () => expect(await readLedger(database.db, id)).to.have.length(2));
    stop.abort();
    await running;
  });

  for (const [way, words] of [
    ["by rules", true],
    ["by a decision", false],
  ] as const) {
    it(`says that it left a delivery pending, ${way}`, async () => {
      const relay = setUp();
      const { enterprise_id, id } = await aListener();
      await rowsOf(database.db, "UPDATE subscriptions SET is_ordered = true WHERE id = ?", [id]);
      const { object, event } = { object: "ticket", event: "create" } as const;
      const publish = async (keys: readonly string[]): Promise<void> => {
        for (const key of keys) {
          await anEvent(database.db, { enterprise_id, object, event, event_type: null, key });
        }
        relay.wake(words ? [toWakeWord({ enterpriseId: enterprise_id, object, event })] : []);
        expect(await relay.runOnce()).to.equal(keys.length);
      };
      await publish(["other"]); // with nothing known, each batch needs a decision
      batches.pending = 0;
      await publish(["a", "b"]);
      expect(batches.pending).to.equal(0);
      await publish(["c", "c"]);
      expect(batches.pending).to.equal(1);
      expect((await readLedger(database.db, id)).map(({ state }) => state)).to.deep.equal([
        ...Array.from({ length: 4 }, () => "queued"),
        "pending",
      ]);
    });
  }

  it("leaves an event to the process that was woken for it, for a moment", async () => {
    const clock = { now: new Date() };
    const relay = setUp({ now: () => clock.now });
    const { enterprise_id, id } = await aListener();
    const stop = new AbortController();
    const running = relay.run(stop.signal);
    const begun = () => batches.begun;
    await eventually(() => expect(begun()).to.be.at.least(2));
    const occurred_at = new Date();
    clock.now = new Date(occurred_at.getTime() + 49);
    await anEvent(database.db, { enterprise_id, occurred_at });
    const before = begun();
    await eventually(() => expect(begun()).to.be.at.least(before + 3));
    expect(await readLedger(database.db, id)).to.have.length(0);
    // As if the clock had been set back by an hour.
    clock.now = new Date(occurred_at.getTime() - 3_600_000);
    await eventually(async () => expect(await readLedger(database.db, id)).to.have.length(1));
    stop.abort();
    await running;
  });

  it("dead-letters an event that breaks every batch, with the reason, and continues behind it", async () => {
    const relay = setUp();
    const { enterprise_id, id } = await aListener();
    // A check constraint that one event violates, which stands for any data error.
    await rowsOf(
      database.db,
      "ALTER TABLE deliveries ADD CONSTRAINT poison CHECK (key <> 'ticket:poison')",
    );
    await anEvent(database.db, { enterprise_id });
    const failing = await anEvent(database.db, { enterprise_id, key: "ticket:poison" });
    await anEvent(database.db, { enterprise_id });
    let failures = 0;
    while (failures < 10 && (await readLedger(database.db, id)).length < 2) {
      await relay.runOnce().catch(() => (failures += 1));
    }
    expect(failures).to.equal(3);
    const dead = await rowsOf<{ event_row_id: number; reason: string }>(
      database.db,
      "SELECT event_row_id, reason FROM outbox_dead",
    );
    expect(dead.map((row) => row.event_row_id)).to.deep.equal([failing.id]);
    expect(dead[0]?.reason).to.include("poison");
    await anEvent(database.db, { enterprise_id });
    expect(await relay.runOnce()).to.equal(1);
  });

  it("dead-letters an event that exceeds a limit of the server, such as an index entry", async () => {
    const relay = setUp();
    const { enterprise_id, id } = await aListener();
    await rowsOf(database.db, "DELETE FROM outbox_dead");
    await rowsOf(
      database.db,
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE 'index row too large' USING ERRCODE = 'program_limit_exceeded'; END $$`,
    );
    await rowsOf(
      database.db,
      `CREATE TRIGGER refuse BEFORE INSERT ON deliveries FOR EACH ROW
       WHEN (NEW.key = 'ticket:long') EXECUTE FUNCTION refuse()`,
    );
    const unreadable = await anEvent(database.db, { enterprise_id, key: "ticket:long" });
    await anEvent(database.db, { enterprise_id });
    let failures = 0;
    while (failures < 10 && (await readLedger(database.db, id)).length < 1) {
      await relay.runOnce().catch(() => (failures += 1));
    }
    const dead = await rowsOf<{ event_row_id: number; reason: string }>(
      database.db,
      "SELECT event_row_id, reason FROM outbox_dead",
    );
    expect(dead.map((row) => row.event_row_id)).to.deep.equal([unreadable.id]);
    expect(dead[0]?.reason).to.include("index row too large");
    await rowsOf(database.db, "DROP TRIGGER refuse ON deliveries");
  });

  it("dead-letters nothing for a fault that affects every row", async () => {
    const relay = setUp();
    const { enterprise_id, id } = await aListener();
    await rowsOf(database.db, "DELETE FROM outbox_dead");
    for (let i = 0; i < 20; i += 1) {
      await anEvent(database.db, { enterprise_id });
    }
    const countOf = async (table: string) =>
      (await rowsOf<{ count: number }>(database.db, `SELECT count(*) AS count FROM ${table}`))[0]
        ?.count;
    // Another schema version, and a constraint that every row violates.
    for (const [damage, repair] of [
      ["RENAME COLUMN object TO object2", "RENAME COLUMN object2 TO object"],
      ["ADD CONSTRAINT never CHECK (sequence < 0) NOT VALID", "DROP CONSTRAINT never"],
    ]) {
      await rowsOf(database.db, `ALTER TABLE deliveries ${damage}`);
      for (let step = 0; step < 6; step += 1) {
        await relay.runOnce().catch(() => undefined);
      }
      expect(await countOf("outbox_dead")).to.equal(0);
      await rowsOf(database.db, `ALTER TABLE deliveries ${repair}`);
    }
    await eventually(async () => expect(await relay.runOnce()).to.equal(0));
    expect(await readLedger(database.db, id)).to.have.length(20);
  });
});
