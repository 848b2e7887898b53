import { expect } from "chai";
import { tallyAttempts } from "../../src/pipeline/schedule/tallies.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { addAttempt, type AttemptInput } from "./attempts.ts";
import { createTestClock } from "./clock.ts";
import type { TestDatabase } from "./database.ts";
import { anEnterprise, aSubscription } from "./factories.ts";

/**
 * Attempts and their tallies: each test has a separate subscription, and a stopped clock that
 * starts at the same time.
 */
export function useTallies(database: TestDatabase) {
  const start = new Date("2026-11-20T11:00:00Z");
  const clock = createTestClock(start);
  let owner = { enterpriseId: 0, subscriptionId: 0 };
  beforeEach("make a subscription", async () => {
    clock.set(start);
    const { id: enterpriseId } = await anEnterprise(database.db);
    const { id } = await aSubscription(database.db, { enterprise_id: enterpriseId });
    owner = { enterpriseId, subscriptionId: id };
  });
  const after = (ms: number): Date => new Date(start.getTime() + ms);
  /** Returns the number of counted attempts. */
  const tally = (): Promise<number> => tallyAttempts({ db: database.db, clock });
  return {
    start,
    clock,
    after,
    get owner() {
      return owner;
    },
    attempt: (afterMs: number, more: Partial<AttemptInput> = {}): Promise<number> =>
      addAttempt(database.db, owner, { at: after(afterMs), ...more }),
    tally,
    /** Counts like a process that dies before its commit. */
    tallyAndDie: async (): Promise<void> => {
      await rowsOf(
        database.db,
        `CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'killed'; END $$`,
      );
      await rowsOf(
        database.db,
        `CREATE TRIGGER die BEFORE UPDATE ON delivery_tally_progress FOR EACH ROW
         EXECUTE FUNCTION die()`,
      );
      const failure = await tally().catch((error: Error) => error.message);
      await rowsOf(database.db, "DROP FUNCTION die() CASCADE");
      expect(failure).to.contain("killed");
    },
  };
}
