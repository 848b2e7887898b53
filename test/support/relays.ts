/** Relays of a test database, and what they do. */
import { createRelay, type Relay } from "../../src/pipeline/relay/relay.ts";
import { createLogger } from "../../src/platform/logger.ts";
import type { TestDatabase } from "./database.ts";
import { anEnterprise, aSubscription } from "./factories.ts";
import { openLimits } from "./ledger.ts";

type RelayOptions = {
  now?: () => Date;
  shardCount?: number;
  /** Called when a batch has enqueued deliveries; the batch waits for it. */
  onDispatch?: () => Promise<void>;
};

/** For the tests of the surrounding `describe`. `batches` counts from the start of each test. */
export function useRelays(database: TestDatabase) {
  const batches = { begun: 0, pending: 0 };
  beforeEach(() => {
    batches.begun = 0;
    batches.pending = 0;
  });
  return {
    batches,
    setUp: ({ now, shardCount = 1, onDispatch }: RelayOptions = {}): Relay =>
      createRelay({
        db: database.db,
        dispatcher: {
          limits: () => {
            batches.begun += 1;
            return { ...openLimits(now?.()), maxInFlight: 1_000 };
          },
          dispatch: async (enqueued) => (enqueued.length > 0 ? onDispatch?.() : undefined),
        },
        log: createLogger("silent", "test"),
        shardCount,
        faultPoint: () => undefined,
        onEvents: () => undefined,
        onPending: () => {
          batches.pending += 1;
        },
      }),
    /** A webhook that gets all events of its enterprise. */
    aListener: async (): Promise<{ enterprise_id: number; id: number }> => {
      const { id: enterprise_id } = await anEnterprise(database.db);
      const { id } = await aSubscription(database.db, { enterprise_id, filters: ["*"] });
      return { enterprise_id, id };
    },
  };
}
