import { expect } from "chai";
import type { Caller } from "../../src/http/route.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { useDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { aCaller, startWebhookApi, type Call, type WebhookApi } from "../support/webhook-api.ts";

type RevisionRow = {
  revision: number;
  valid_from: Date;
  is_active: boolean;
  is_deleted: boolean;
  reason: string;
  changed_by: number | null;
};

const url = "https://receiver.example/hook";

describe("changes of a webhook", () => {
  const database = useDatabase();
  let api: WebhookApi;
  let admin: Caller;
  let call: Call;
  before(async () => {
    api = await startWebhookApi(database.db);
  });
  beforeEach(async () => {
    admin = await aCaller(database.db);
    call = api.as(admin);
  });
  after(async () => {
    await api.close();
  });

  const aWebhook = async (settings: object = {}): Promise<number> => {
    const { body } = await call("POST", "/webhooks", {
      url,
      active: true,
      filters: ["*"],
      ...settings,
    });
    return Number(body["id"]);
  };
  const revisionsOf = (id: number): Promise<RevisionRow[]> =>
    rowsOf(
      database.db,
      `SELECT revision, valid_from, is_active, is_deleted, reason, changed_by
       FROM subscription_revisions WHERE subscription_id = ? ORDER BY revision`,
      [id],
    );
  const addDeliveries = async (id: number, states: readonly string[]): Promise<void> => {
    await rowsOf(
      database.db,
      `INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at,
         object, key, state, due_at)
       SELECT ?, ?, n, n, now(), 'ticket', 'ticket:' || n, state, now()
       FROM unnest(?::text[]) WITH ORDINALITY AS input(state, n)`,
      [admin.enterpriseId, id, states],
    );
  };
  const statesOf = async (id: number): Promise<string[]> =>
    (
      await rowsOf<{ state: string }>(
        database.db,
        "SELECT state FROM deliveries WHERE subscription_id = ? ORDER BY sequence",
        [id],
      )
    ).map((row) => row.state);
  const healthOf = async (id: number): Promise<object | undefined> =>
    (
      await rowsOf<object>(
        database.db,
        `SELECT last_sequence, window_size, throttled_until, failing_since, warned_at,
           failures_in_row, probe_at, rate_tokens, rate_at, failure_status, failure
         FROM subscription_health WHERE subscription_id = ?`,
        [id],
      )
    )[0];
  const overwriteHealth = async (id: number): Promise<void> => {
    await rowsOf(
      database.db,
      `UPDATE subscription_health SET last_sequence = 9, window_size = 1, throttled_until = now(),
         failing_since = now(), warned_at = now(), failures_in_row = 12, probe_at = now(),
         rate_tokens = 0.5, rate_at = now(), failure_status = 500, failure = 'dns'
       WHERE subscription_id = ?`,
      [id],
    );
  };
  const fresh = {
    last_sequence: 9,
    window_size: 8,
    throttled_until: null,
    failing_since: null,
    warned_at: null,
    failures_in_row: 0,
    probe_at: null,
    rate_tokens: null,
    rate_at: null,
    failure_status: null,
    failure: null,
  };

  it("are stored as revisions with their author, and the webhook has the newest", async () => {
    const id = await aWebhook();
    await call("PATCH", `/webhooks/${id}`, { active: false });
    await call("PATCH", `/webhooks/${id}`, { filters: ["ticket.*"] });
    await call("DELETE", `/webhooks/${id}`);
    const revisions = await revisionsOf(id);
    expect(revisions.map((r) => [r.reason, r.is_active, r.is_deleted, r.changed_by])).to.deep.equal(
      [
        ["created", true, false, admin.userId],
        ["switched off", false, false, admin.userId],
        ["changed", false, false, admin.userId],
        ["deleted", false, true, admin.userId],
      ],
    );
    const [row] = await rowsOf<{ revision: number }>(
      database.db,
      "SELECT revision FROM subscriptions WHERE id = ?",
      [id],
    );
    expect(row?.revision).to.equal(revisions.at(-1)?.revision);
  });

  it("made concurrently have contiguous revisions, in the order of their times", async () => {
    const first = await aWebhook();
    const second = await aWebhook();
    const before = Math.max(...(await revisionsOf(second)).map((r) => r.revision));
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        call("PATCH", `/webhooks/${n % 2 === 0 ? first : second}`, { active: n % 3 === 0 }),
      ),
    );
    expect(answers.every((answer) => answer.status === 200)).to.equal(true);
    const made = [...(await revisionsOf(first)), ...(await revisionsOf(second))]
      .filter((r) => r.revision > before)
      .toSorted((a, b) => a.revision - b.revision);
    expect(made.map((r) => r.revision)).to.deep.equal(
      Array.from({ length: 30 }, (_, n) => before + 1 + n),
    );
    const times = made.map((r) => r.valid_from.getTime());
    expect(times).to.deep.equal(times.toSorted((a, b) => a - b));
  });

  it("that are rejected leave neither a revision nor a gap", async () => {
    const id = await aWebhook();
    await call("PATCH", `/webhooks/${id}`, { url: null });
    await call("PATCH", `/webhooks/${id}`, { headers: [{ name: "X", value: "••••" }] });
    await call("PATCH", `/webhooks/${id}`, { name: "b" });
    const numbers = (await revisionsOf(id)).map((r) => r.revision);
    expect(numbers).to.have.length(2);
    expect(numbers[1]).to.equal((numbers[0] ?? 0) + 1);
  });

  it("made concurrently lose nothing", async () => {
    const id = await aWebhook();
    await Promise.all([
      call("PATCH", `/webhooks/${id}`, { name: "renamed" }),
      call("PATCH", `/webhooks/${id}`, { filters: ["ticket.*"] }),
      call("PATCH", `/webhooks/${id}`, { ordered: true }),
      call("PATCH", `/webhooks/${id}`, { headers: [{ name: "X-Key", value: "v" }] }),
    ]);
    const { body } = await call("GET", `/webhooks/${id}`);
    expect(body).to.deep.include({
      name: "renamed",
      filters: ["ticket.*"],
      ordered: true,
      headers: [{ name: "X-Key", value: "••••" }],
    });
  });

  it("to off pause waiting deliveries, but not those in flight or final", async () => {
    const id = await aWebhook();
    await addDeliveries(id, ["pending", "queued", "retry", "sending", "delivered", "dead"]);
    await call("PATCH", `/webhooks/${id}`, { active: false });
    expect(await statesOf(id)).to.deep.equal([
      "paused",
      "paused",
      "paused",
      "sending",
      "delivered",
      "dead",
    ]);
  });

  it("to on resume paused deliveries and reset the health", async () => {
    const id = await aWebhook({ active: false });
    await addDeliveries(id, ["paused", "paused", "delivered"]);
    await overwriteHealth(id);
    await rowsOf(database.db, "UPDATE subscriptions SET disabled_reason = 'gone' WHERE id = ?", [
      id,
    ]);
    const { body } = await call("PATCH", `/webhooks/${id}`, { active: true });
    expect(body["disabled_reason"]).to.equal(null);
    expect(body["failing_since"]).to.equal(null);
    expect(await statesOf(id)).to.deep.equal(["pending", "pending", "delivered"]);
    expect(await healthOf(id)).to.deep.equal(fresh);
  });

  it("to another URL reset the health", async () => {
    const id = await aWebhook();
    await overwriteHealth(id);
    await call("PATCH", `/webhooks/${id}`, { url: "https://receiver.example/other" });
    expect(await healthOf(id)).to.deep.equal(fresh);
  });

  it("of other settings do not affect health, deliveries and the reason", async () => {
    const id = await aWebhook();
    await addDeliveries(id, ["pending", "queued"]);
    await overwriteHealth(id);
    const before = await healthOf(id);
    await call("PATCH", `/webhooks/${id}`, { name: "b", active: true, url });
    expect(await healthOf(id)).to.deep.equal(before);
    expect(await statesOf(id)).to.deep.equal(["pending", "queued"]);
    const off = await aWebhook({ active: false });
    await rowsOf(database.db, "UPDATE subscriptions SET disabled_reason = 'gone' WHERE id = ?", [
      off,
    ]);
    const { body } = await call("PATCH", `/webhooks/${off}`, { name: "b" });
    expect(body["disabled_reason"]).to.equal("gone");
  });

  it("wait for the health lock, so that no enqueued delivery is missed", async () => {
    const id = await aWebhook();
    await addDeliveries(id, ["pending"]);
    const enqueue = await database.db.transaction();
    await rowsOf(
      enqueue,
      "SELECT 1 FROM subscription_health WHERE subscription_id = ? FOR UPDATE",
      [id],
    );
    const switchedOff = call("PATCH", `/webhooks/${id}`, { active: false });
    await eventually(async () => {
      const waiting = await rowsOf(
        database.db,
        `SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return waiting.length > 0;
    });
    await rowsOf(enqueue, "UPDATE deliveries SET state = 'queued' WHERE subscription_id = ?", [id]);
    await enqueue.commit();
    expect((await switchedOff).status).to.equal(200);
    expect(await statesOf(id)).to.deep.equal(["paused"]);
  });

  it("to deleted cancel live deliveries", async () => {
    const id = await aWebhook();
    await addDeliveries(id, ["pending", "paused", "sending", "delivered"]);
    await call("DELETE", `/webhooks/${id}`);
    expect(await statesOf(id)).to.deep.equal(["cancelled", "cancelled", "sending", "delivered"]);
  });

  describe("to unordered", () => {
    const aStuckObject = async (settings: object = {}): Promise<number> => {
      const id = await aWebhook({ ordered: true, ...settings });
      await rowsOf(
        database.db,
        `INSERT INTO deliveries (enterprise_id, subscription_id, sequence, event_row_id, event_at,
           object, key, state, attempts, due_at, waits_for)
         SELECT ?, ?, n, n, now(), 'ticket', 'ticket:1', state, attempts,
           now() + make_interval(hours => hours), waits_for
         FROM (VALUES (1, 'retry', 3, 20, NULL), (2, 'pending', 0, 0, 1), (3, 'pending', 0, 0, 2))
           AS input(n, state, attempts, hours, waits_for)`,
        [admin.enterpriseId, id],
      );
      return id;
    };
    const waitsOf = async (id: number) =>
      (
        await rowsOf<{ waits_for: number | null }>(
          database.db,
          "SELECT waits_for FROM deliveries WHERE subscription_id = ? ORDER BY sequence",
          [id],
        )
      ).map((row) => row.waits_for);

    it("release deliveries that wait for a failed one at once", async () => {
      const id = await aStuckObject();
      await call("PATCH", `/webhooks/${id}`, { ordered: false });
      // The third delivery still waits for the first attempt of the second one.
      expect(await waitsOf(id)).to.deep.equal([null, null, 2]);
    });

    it("release them even if the webhook is off", async () => {
      const id = await aStuckObject();
      await call("PATCH", `/webhooks/${id}`, { active: false });
      await call("PATCH", `/webhooks/${id}`, { ordered: false });
      expect(await waitsOf(id)).to.deep.equal([null, null, 2]);
    });

    it("are the only changes that do", async () => {
      const id = await aStuckObject();
      await call("PATCH", `/webhooks/${id}`, { name: "b", active: false });
      await call("PATCH", `/webhooks/${id}`, { active: true });
      expect(await waitsOf(id)).to.deep.equal([null, 1, 2]);
    });
  });
});
