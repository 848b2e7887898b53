import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import {
  accepted,
  refused,
  type ProviderBusy,
  type MessageProvider,
  type ProviderResult,
} from "../../src/messages/providers/provider.ts";
import { createSendHandler } from "../../src/messages/outgoing.ts";
import { useDatabase } from "../support/database.ts";
import { runningTask, smsEventsAbout, useMessaging } from "../support/messages.ts";

describe("sending a message", () => {
  const database = useDatabase();
  const harness = useMessaging(database);

  /** A send handler with a stub provider that counts the requests. */
  const withProvider = (
    answer: (call: number) => ReturnType<MessageProvider["send"]> | ProviderResult | ProviderBusy,
  ) => {
    const uids: string[] = [];
    const handler = createSendHandler({
      db: database.db,
      clock: harness.features.clock,
      outbox: harness.features.outbox,
      log: { info: () => undefined, warn: () => undefined } as never,
      faultPoint: () => undefined,
      providers: {
        of: () => ({
          name: "http",
          send: async ({ uid }) => {
            uids.push(uid);
            return answer(uids.length);
          },
        }),
      },
    });
    const run = (id: number) =>
      handler(runningTask(harness.fixture.enterpriseId, id), new AbortController().signal);
    return { run, uids };
  };

  it("is sent by the provider, with an event", async () => {
    const [id = 0] = await harness.queue({});
    harness.features.clock.advance(1_000);
    const { run } = withProvider(() => accepted("gw-1"));
    expect(await run(id)).to.deep.equal({ kind: "done" });
    const { status, provider, providerId, attempts, sentAt, error } = await harness.find(id);
    expect({ status, provider, providerId, attempts, error }).to.deep.equal({
      status: "sent",
      provider: "http",
      providerId: "gw-1",
      attempts: 1,
      error: null,
    });
    expect(sentAt).to.deep.equal(harness.features.clock.now());
    expect(await smsEventsAbout(database.db, id)).to.deep.equal([
      `smsmessage create ${id} {}`,
      `smsmessage update ${id} {}`,
    ]);
  });

  it("sends once, even if its task runs again", async () => {
    const [id = 0] = await harness.queue({});
    const { run, uids } = withProvider(() => accepted("gw-2"));
    await run(id);
    await run(id);
    expect(uids).to.have.lengthOf(1);
    expect(await smsEventsAbout(database.db, id)).to.have.lengthOf(2);
  });

  it("sends again with the same uid if a worker crashed before it stored the result", async () => {
    const [id = 0] = await harness.queue({});
    const { run, uids } = withProvider((call) => {
      if (call === 1) {
        throw new Error("killed");
      }
      return accepted("gw-3");
    });
    const failure = await run(id).catch((thrown: unknown) => thrown);
    expect(failure).to.be.instanceOf(Error);
    expect((await harness.find(id)).status).to.equal("queued");
    await run(id);
    expect(uids).to.deep.equal([(await harness.find(id)).uid, (await harness.find(id)).uid]);
    expect(await smsEventsAbout(database.db, id)).to.have.lengthOf(2);
  });

  it("makes five attempts with growing delays, then fails", async () => {
    const [id = 0] = await harness.queue({});
    const { run, uids } = withProvider(() => refused("http_503", false));
    const pauses: unknown[] = [];
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const outcome = await run(id);
      const at = harness.features.clock.now().getTime();
      pauses.push(outcome.kind === "again" ? outcome.dueAt.getTime() - at : outcome.kind);
      harness.features.clock.advance(3_600_000);
    }
    expect(pauses).to.deep.equal([30_000, 120_000, 600_000, 1_800_000, "done"]);
    await run(id);
    expect(uids).to.have.lengthOf(5);
    const { status, error, attempts, sentAt } = await harness.find(id);
    expect({ status, error, attempts, sentAt }).to.deep.equal({
      status: "failed",
      error: "http_503",
      attempts: 5,
      sentAt: null,
    });
    expect(await smsEventsAbout(database.db, id)).to.have.lengthOf(2);
  });

  it("shows the refusal of an attempt until a later one is accepted", async () => {
    const [id = 0] = await harness.queue({});
    const { run } = withProvider((call) =>
      call === 1 ? refused("http_503", false) : accepted("gw-4"),
    );
    await run(id);
    const shown = async () => {
      const { status, error } = await harness.find(id);
      return { status, error };
    };
    expect(await shown()).to.deep.equal({ status: "queued", error: "http_503" });
    await run(id);
    expect(await shown()).to.deep.equal({ status: "sent", error: null });
  });

  it("is delayed while the provider is at its limit, without counting an attempt", async () => {
    const [id = 0] = await harness.queue({});
    const { run } = withProvider(() => ({ kind: "busy" }));
    const dueAt = new Date(harness.features.clock.now().getTime() + 15_000);
    const outcome = await run(id);
    expect(outcome).to.deep.equal({ kind: "again", dueAt, reason: "the provider is slow" });
    const { status, attempts, error } = await harness.find(id);
    expect({ status, attempts, error }).to.deep.equal({
      status: "queued",
      attempts: 0,
      error: null,
    });
  });

  it("fails at once if the rejection is final", async () => {
    const [id = 0] = await harness.queue({});
    const { run, uids } = withProvider(() => refused("invalid_recipient", true));
    expect(await run(id)).to.deep.equal({ kind: "done" });
    expect((await harness.find(id)).error).to.equal("invalid_recipient");
    await run(id);
    expect(uids).to.have.lengthOf(1);
  });

  it("does not send to a number that has sent STOP", async () => {
    const [id = 0] = await harness.queue({ recipient: "+33612345601" });
    const { enterpriseId } = harness.fixture;
    await rowsOf(database.db, "INSERT INTO opt_outs (enterprise_id, phone) VALUES (?, ?)", [
      enterpriseId,
      "+33612345601",
    ]);
    const { run, uids } = withProvider(() => accepted("never"));
    await run(id);
    expect(uids).to.deep.equal([]);
    const { status, error } = await harness.find(id);
    expect({ status, error }).to.deep.equal({ status: "failed", error: "opted_out" });
  });

  it("stores an opt-out reported by the provider", async () => {
    const recipient = "+33612345602";
    const [id = 0] = await harness.queue({ recipient });
    await withProvider(() => refused("opted_out", true)).run(id);
    const [later = 0] = await harness.queue({ recipient });
    const { status, error } = await harness.find(later);
    expect({ status, error }).to.deep.equal({ status: "failed", error: "opted_out" });
  });

  it("keeps the result of a callback that came during the request", async () => {
    const [id = 0] = await harness.queue({});
    const { run } = withProvider(async () => {
      await rowsOf(database.db, "UPDATE messages SET status = 'delivered' WHERE id = ?", [id]);
      return refused("timeout", false);
    });
    expect(await run(id)).to.deep.equal({ kind: "done" });
    const { status, error } = await harness.find(id);
    expect({ status, error }).to.deep.equal({ status: "delivered", error: null });
  });

  it("clears the text of a private mail after sending, and creates no events for mails", async () => {
    const mail = { channel: "email", recipient: "ann@x.example", subject: "s" } as const;
    const [id = 0, open = 0] = await harness.queue(
      { ...mail, text: "secret", html: "<p>secret</p>", isPrivate: true },
      { ...mail, text: "open" },
    );
    const { run } = withProvider(() => accepted(`<${id}@x>`));
    await run(id);
    await run(open);
    const { text, html, status } = await harness.find(id);
    expect({ text, html, status }).to.deep.equal({ text: "", html: null, status: "sent" });
    expect((await harness.find(open)).text).to.equal("open");
    expect(await smsEventsAbout(database.db, id)).to.deep.equal([]);
  });
});
