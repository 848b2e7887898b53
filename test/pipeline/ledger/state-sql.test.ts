import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { deliveryStates } from "../../../src/contracts/deliveries.ts";
import {
  allowsSql,
  blockedSql,
  failedStatesSql,
  firstAttemptsSql,
  inFlightStatesSql,
  laterAttemptsSql,
  liveStatesSql,
  moveSql,
  requeueSetSql,
} from "../../../src/pipeline/ledger/state-sql.ts";

/** Removes the casts and parentheses that Postgres adds when it prints a condition. */
function normalized(sql: string): string {
  return sql
    .replaceAll("::text", "")
    .replaceAll(/= ANY \(ARRAY\[(?<list>[^\]]*)\]\)/gu, "IN $<list>")
    .replaceAll(/\bd\./gu, "")
    .replaceAll(/[\s()]/gu, "");
}

describe("the delivery states as SQL", () => {
  const predicates = new Map<string, string>();

  before("read the schema", async () => {
    const schema = await readFile("migrations/schema.sql", "utf8");
    const partial =
      /^CREATE (?:UNIQUE )?INDEX (?<name>\w+) ON \S*deliveries .* WHERE (?<where>.*);$/gmu;
    for (const { groups } of schema.matchAll(partial)) {
      predicates.set(groups?.["name"] ?? "", normalized(groups?.["where"] ?? ""));
    }
  });

  const conditions = {
    deliveries_first: firstAttemptsSql,
    deliveries_again: laterAttemptsSql,
    deliveries_waiting_unpaused: blockedSql,
    deliveries_in_flight: `d.state IN ${inFlightStatesSql}`,
    deliveries_live_key: `d.state IN ${liveStatesSql}`,
    deliveries_replay_live: `d.replay_id IS NOT NULL AND d.state IN ${liveStatesSql}`,
    deliveries_given_up: `d.state IN ${failedStatesSql}`,
    deliveries_paused: allowsSql("resume"),
  };
  for (const [index, condition] of Object.entries(conditions)) {
    it(`is the predicate of ${index}`, () => {
      expect(normalized(condition)).to.equal(predicates.get(index));
    });
  }

  it("match the states that the table allows", async () => {
    const schema = await readFile("migrations/schema.sql", "utf8");
    const check = /deliveries_state_check CHECK \((?<condition>.*)\);/u.exec(schema);
    const allowed = (check?.groups?.["condition"] ?? "").match(/'\w+'/gu);
    expect(allowed).to.have.members(deliveryStates.map((state) => `'${state}'`));
  });

  it("move a delivery as the transition table says", () => {
    expect(`${moveSql("claim")} WHERE ${allowsSql("claim")}`).to.equal(
      "state = 'sending' WHERE d.state = 'queued'",
    );
    expect(`${moveSql("cancel")} WHERE ${allowsSql("cancel", "state")}`).to.equal(
      "state = 'cancelled' WHERE state IN ('pending', 'retry', 'queued', 'paused')",
    );
    expect(requeueSetSql).to.equal(
      "state = CASE WHEN d.attempts = 0 THEN 'pending' ELSE 'retry' END, " +
        "generation = d.generation + 1, lease_until = NULL",
    );
  });
});
