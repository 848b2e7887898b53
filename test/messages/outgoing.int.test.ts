import { expect } from "chai";
import { Problem } from "../../src/contracts/problems.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { useDatabase } from "../support/database.ts";
import { openSendTasks, smsEventsAbout, useMessaging } from "../support/messages.ts";

describe("queueing messages", () => {
  const database = useDatabase();
  const harness = useMessaging(database);

  const setQuota = (perDay: number) =>
    rowsOf(database.db, "UPDATE enterprises SET max_sms_per_day = ? WHERE id = ?", [
      perDay,
      harness.fixture.enterpriseId,
    ]);

  const optOut = (phone: string) =>
    rowsOf(database.db, "INSERT INTO opt_outs (enterprise_id, phone) VALUES (?, ?)", [
      harness.fixture.enterpriseId,
      phone,
    ]);

  it("writes the message, its task and its event in one transaction", async () => {
    const [id = 0] = await harness.queue({ text: "Bonjour €" });
    const { status, segments, attempts, sender } = await harness.find(id);
    expect({ status, segments, attempts, sender }).to.deep.equal({
      status: "queued",
      segments: 1,
      attempts: 0,
      sender: "",
    });
    expect(await openSendTasks(database.db)).to.include(id);
    expect(await smsEventsAbout(database.db, id)).to.deep.equal([`smsmessage create ${id} {}`]);
  });

  it("leaves nothing if the transaction fails", async () => {
    const before = await rowsOf(database.db, "SELECT id FROM messages");
    const failure = await inTransaction(database.db, async (trx) => {
      const { enterpriseId } = harness.fixture;
      const at = harness.features.clock.now();
      const message = { enterpriseId, recipient: "+33612345678", text: "x", createdBy: null, at };
      await harness.features.messaging.queue(trx, [{ ...message, channel: "sms" }], {
        overQuota: "refuse",
      });
      throw new Error("later");
    }).catch((thrown: unknown) => thrown);
    expect(failure).to.have.property("message", "later");
    expect(await rowsOf(database.db, "SELECT id FROM messages")).to.deep.equal(before);
  });

  it("stores a message to an opted-out number as failed, and sends the others", async () => {
    await optOut("+33612345671");
    const ids = await harness.queue(
      { recipient: "+33612345671" },
      { recipient: "+33612345672" },
      { channel: "email", recipient: "ann@x.example", subject: "s" },
    );
    const found = await Promise.all(ids.map(harness.find));
    expect(found.map(({ status, error }) => [status, error])).to.deep.equal([
      ["failed", "opted_out"],
      ["queued", null],
      ["queued", null],
    ]);
    const tasks = await openSendTasks(database.db);
    expect(tasks.filter((id) => ids.includes(id))).to.deep.equal(ids.slice(1));
  });

  it("rejects the whole use case over the daily quota", async () => {
    await setQuota(2);
    await harness.queue({}, { recipient: "+33612345672" });
    const failure = await harness.queue({}).catch((thrown: unknown) => thrown);
    expect(failure).to.be.instanceOf(Problem).and.have.property("kind", "quota_reached");
    await harness.queue({ channel: "email", recipient: "ann@x.example", subject: "s" });
    harness.features.clock.advance(24 * 3_600_000 + 1_000);
    expect(await harness.queue({})).to.have.lengthOf(1);
  });

  it("never exceeds the quota under concurrency", async () => {
    await setQuota(3);
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => harness.queue({})));
    expect(results.filter(({ status }) => status === "fulfilled")).to.have.lengthOf(3);
  });

  it("does not count messages that were rejected before sending", async () => {
    await setQuota(1);
    await optOut("+33612345673");
    await harness.queue({ recipient: "+33612345673" });
    expect(await harness.queue({})).to.have.lengthOf(1);
  });

  it("stores messages over the quota as failed if the use case must succeed", async () => {
    await setQuota(1);
    const { enterpriseId } = harness.fixture;
    const at = harness.features.clock.now();
    const sms = { enterpriseId, channel: "sms", text: "x", createdBy: null, at } as const;
    const queued = await inTransaction(database.db, (trx) =>
      harness.features.messaging.queue(
        trx,
        [
          { ...sms, recipient: "+33612345671" },
          { ...sms, recipient: "+33612345672" },
        ],
        { overQuota: "fail" },
      ),
    );
    expect(queued.map(({ isAccepted }) => isAccepted)).to.deep.equal([true, false]);
    expect((await harness.find(queued[1]?.id ?? 0)).error).to.equal("quota_reached");
  });
});
