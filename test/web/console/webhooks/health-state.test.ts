import { expect } from "chai";
import {
  sortBySeverity,
  limitsOf,
  disabledSinceOf,
  outstandingOf,
  healthStateOf,
} from "../../../../web/console/webhooks/health-state.ts";
import type {
  AuditEntry,
  LiveWebhook,
  Standing,
  Webhook,
} from "../../../../web/console/webhooks/types.ts";

type Some = Partial<Webhook> & { state?: Webhook["health"]["state"] };

function aWebhook({ state = "ok", ...more }: Some = {}): Webhook {
  return {
    ...{ id: 1, name: "CRM", mode: "push", active: true, disabled_reason: null },
    undecryptable: [],
    ...{ last_success: "2026-11-22T10:00:00+00:00", last_failure: null, failing_since: null },
    health: { state },
    ...more,
  } as Webhook;
}

function off(more: Some = {}): Webhook {
  return aWebhook({ active: false, state: "off", ...more });
}

function waitingFor(seconds: number, pastDue = 1): LiveWebhook {
  return {
    oldest_waiting_seconds: seconds,
    past_due: { count: pastDue, more: false },
  } as LiveWebhook;
}

function entry(more: Partial<AuditEntry>): AuditEntry {
  return {
    ...{ objectId: "1", login: "a.martin@demo.example", created: "2026-11-22T09:40:00+00:00" },
    ...{ action: "update", changes: { active: { from: true, to: false } } },
    ...more,
  } as AuditEntry;
}

describe("the health text of a webhook", () => {
  it("says why the webhook is disabled", () => {
    expect(healthStateOf(off(), undefined)).to.equal("off");
    expect(healthStateOf(off({ disabled_reason: "gone" }), undefined)).to.equal("gone");
    expect(healthStateOf(off({ disabled_reason: "failing" }), undefined)).to.equal("failed");
  });

  it("distinguishes an idle webhook from a healthy one", () => {
    expect(healthStateOf(aWebhook(), undefined)).to.equal("ok");
    expect(healthStateOf(aWebhook({ last_success: null }), undefined)).to.equal("new");
  });

  it("names values that cannot be decrypted, except where they are not needed", () => {
    const lost: Some = { undecryptable: ["secrets"] };
    expect(healthStateOf(aWebhook(lost), waitingFor(120))).to.equal("undecryptable");
    expect(healthStateOf(aWebhook({ ...lost, state: "open" }), undefined)).to.equal(
      "undecryptable",
    );
    expect(healthStateOf(off(lost), undefined)).to.equal("off");
    expect(healthStateOf(aWebhook({ ...lost, mode: "pull", state: "pull" }), undefined)).to.equal(
      "pull",
    );
  });

  it("names the limits that can be raised, if any", () => {
    expect(limitsOf({ maxPerSecond: null, maxInFlight: null })).to.deep.equal([]);
    expect(limitsOf({ maxPerSecond: 5, maxInFlight: 2 })).to.deep.equal([
      { of: "per_second", most: 5 },
      { of: "in_flight", most: 2 },
    ]);
  });

  it('says "behind" only if a delivery has been due for over a minute', () => {
    expect(healthStateOf(aWebhook(), waitingFor(120))).to.equal("behind");
    expect(healthStateOf(aWebhook(), waitingFor(120, 0))).to.equal("ok");
    expect(healthStateOf(aWebhook(), waitingFor(30))).to.equal("ok");
    expect(healthStateOf(aWebhook({ state: "open" }), waitingFor(120))).to.equal("open");
  });

  it("sorts failing webhooks first, and manually disabled ones last", () => {
    const webhooks = [
      off({ id: 1 }),
      aWebhook({ id: 2 }),
      aWebhook({ id: 3, state: "failing" }),
      aWebhook({ id: 4, state: "open" }),
      off({ id: 5, disabled_reason: "failing" }),
      aWebhook({ id: 6, state: "open" }),
    ];
    const live = new Map([[6, waitingFor(500)]]);
    expect(sortBySeverity(webhooks, live).map(({ id }) => id)).to.deep.equal([5, 6, 4, 3, 2, 1]);
  });

  it("names the time and the user of a manual disable, from the newest change", () => {
    const newer = entry({ created: "2026-11-22T11:00:00+00:00", login: "b@demo.example" });
    const others = [entry({ objectId: "2" }), entry({ changes: { name: { to: "x" } } })];
    expect(disabledSinceOf(off(), [...others, newer, entry({})])).to.deep.equal({
      at: "2026-11-22T11:00:00+00:00",
      by: "b@demo.example",
      isNever: false,
    });
    expect(disabledSinceOf(off(), [entry({ action: "create" })])?.isNever).to.equal(true);
    expect(disabledSinceOf(aWebhook(), [entry({})])).to.equal(undefined);
    expect(disabledSinceOf(off(), [])).to.equal(undefined);
    const isOn = entry({ changes: { active: { from: false, to: true } } });
    expect(disabledSinceOf(off(), [isOn, entry({})])).to.equal(undefined);
  });

  it("uses the last failure as the time of an automatic disable", () => {
    const failed = off({ disabled_reason: "failing", last_failure: "2026-11-22T08:00:00+00:00" });
    expect(disabledSinceOf(failed, [entry({})])).to.deep.equal({
      at: "2026-11-22T08:00:00+00:00",
      by: null,
      isNever: false,
    });
  });

  it("says that failures disabled it after 120 hours, if its last attempt was earlier", () => {
    const timeOf = (last: string, reason = "failing") => {
      const since = { failing_since: "2026-11-17T06:30:00+00:00", last_failure: last };
      return disabledSinceOf(off({ disabled_reason: reason, ...since }), [])?.at;
    };
    expect(timeOf("2026-11-18T08:00:00+00:00")).to.equal("2026-11-22T06:30:00.000Z");
    expect(timeOf("2026-11-22T06:31:00+00:00")).to.equal("2026-11-22T06:31:00+00:00");
    expect(timeOf("2026-11-18T08:00:00+00:00", "gone")).to.equal("2026-11-18T08:00:00+00:00");
  });

  it("counts all deliveries that would be lost, and says if there are more", () => {
    const count = (n: number, more = false) => ({ count: n, more });
    const standing = {
      ...{ in_flight: count(1), due: count(10_000, true), planned: count(2), waiting: count(3) },
      ...{ paused: count(4), to_pull: null },
    } as Standing;
    expect(outstandingOf(standing)).to.deep.equal({ count: 10_010, more: true });
  });
});
