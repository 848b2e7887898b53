import { findLogins } from "../../src/accounts/directory-store.ts";
import type { Role } from "../../src/contracts/permissions.ts";
import type { Caller } from "../../src/http/route.ts";
import { recordRevision, takeRevision } from "../../src/pipeline/ledger/revisions.ts";
import { systemClock, type Clock } from "../../src/platform/clock.ts";
import { rowsOf, type Db } from "../../src/platform/db/pool.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { createExplainPeriod } from "../../src/deliveries/explain/period.ts";
import { explainPeriodRoutes, explainRoutes } from "../../src/deliveries/explain/routes.ts";
import { createExplain } from "../../src/deliveries/explain/service.ts";
import { filterTestRoutes, createFilterTest } from "../../src/subscriptions/filter-test.ts";
import { reconciliationRoutes } from "../../src/deliveries/reconciliation/routes.ts";
import { createReconciliations } from "../../src/deliveries/reconciliation/service.ts";
import { createTestClock } from "./clock.ts";
import type { TestDatabase } from "./database.ts";
import { anEvent, aSubscription, type EventRow } from "./factories.ts";
import { serveCallers, type Call, type CallersApi } from "./callers-api.ts";
import { aCaller } from "./webhook-api.ts";

export type ExplainApi = CallersApi;

/** Explanations, reconciliation and filter tests on a real HTTP server, with the real router. */
export async function startExplainApi(db: Db, clock: Clock = systemClock): Promise<ExplainApi> {
  return serveCallers([
    ...filterTestRoutes(createFilterTest({ db })),
    ...explainRoutes(createExplain({ db, clock, findLogins, retentionDays: 30 })),
    ...explainPeriodRoutes(createExplainPeriod({ db, clock, findLogins, retentionDays: 30 })),
    ...reconciliationRoutes(createReconciliations({ db, clock, retentionDays: 30 })),
  ]);
}

/** Changes a subscription like a use case, including its revision. */
export function reviseSubscription(
  db: Db,
  id: number,
  columns: Record<string, unknown>,
  cause: { reason: string | null; changedBy: number | null } = { reason: null, changedBy: null },
): Promise<void> {
  return inTransaction(db, async (trx) => {
    const revision = await takeRevision(trx);
    await trx("subscriptions").where({ id }).update(columns);
    await recordRevision(trx, id, revision, cause);
  });
}

export type Explained = Record<string, any>; // oxlint-disable-line no-explicit-any -- a test reads unknown JSON

/** A timestamp in the API's format. */
export function stampOf(date: Date): string {
  return `${date.toISOString().slice(0, 19)}+00:00`;
}

/** The API as a user of a new enterprise before each test, and actions of such a test. */
export function useExplainApi(database: TestDatabase) {
  const clock = createTestClock();
  const state: { api?: ExplainApi; caller?: Caller; call?: Call } = {};
  before(async () => {
    state.api = await startExplainApi(database.db, clock);
  });
  after(() => state.api?.close());
  beforeEach(async () => {
    clock.set(new Date(Date.now() + 60_000));
    state.caller = await aCaller(database.db);
    state.call = state.api!.as(state.caller);
  });
  const call: Call = (...request) => state.call!(...request);
  const enterprise = () => ({ enterprise_id: state.caller!.enterpriseId });
  const explain = async (event: EventRow): Promise<Explained[]> => {
    const { body } = await call("GET", `/webhooks/explain?event_id=${event.event_id}`);
    return body["webhooks"] as Explained[];
  };
  return {
    call,
    get caller() {
      return state.caller!;
    },
    /** The API as a user of another enterprise. */
    asStranger: async (role: Role = "admin"): Promise<Call> =>
      state.api!.as(await aCaller(database.db, role)),
    subscribe: async (columns: object = {}): Promise<number> =>
      (await aSubscription(database.db, { ...enterprise(), filters: ["*"], ...columns })).id,
    happen: (columns: object = {}): Promise<EventRow> =>
      anEvent(database.db, { ...enterprise(), ...columns }),
    explainOne: async (event: EventRow, webhook: number): Promise<Explained> =>
      (await explain(event)).find((one) => one["webhook"] === webhook) ?? {},
    clock,
    inSeconds: (seconds: number): Date => new Date(clock.now().getTime() + seconds * 1_000),
  };
}

/** A finished replay, to which deliveries can refer. */
export async function aReplay(
  db: Db,
  enterpriseId: number,
  subscriptionId: number,
): Promise<number> {
  const [row] = await rowsOf<{ id: number }>(
    db,
    `INSERT INTO replays (enterprise_id, subscription_id, state, criteria, max_per_second, phase,
       last_sequence, last_event_row_id, created_at)
     VALUES (?, ?, 'done', '{}', 1, 'x', 0, 0, now()) RETURNING id`,
    [enterpriseId, subscriptionId],
  );
  return row?.id ?? 0;
}
