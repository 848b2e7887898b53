/** The delivery log over HTTP, and rows for it. */
import { rowsOf } from "../../src/platform/db/pool.ts";
import type { Caller } from "../../src/http/route.ts";
import { deliveryLogRoutes } from "../../src/deliveries/log/routes.ts";
import { createDeliveryLog } from "../../src/deliveries/log/service.ts";
import { startApi, type TestApi } from "./api.ts";
import type { TestDatabase } from "./database.ts";
import { anEvent, aSubscription } from "./factories.ts";
import { aCaller } from "./webhook-api.ts";

type Columns = Record<string, unknown>;
export type LogItem = Record<string, unknown> & { id: number; sequence: number };

// oxlint-disable-next-line no-explicit-any -- a test reads unknown JSON
type Answer = { status: number; headers: Headers; body: Record<string, any> };
export type LogCall = (path: string) => Promise<Answer>;

export type LogPage = {
  total: number;
  data: LogItem[];
  next_cursor: string | null;
  complete: boolean;
};

/** An administrator with one subscription, whose log is empty, for each test. */
export function useDeliveryLog(database: TestDatabase) {
  const callers = new Map<string, Caller>();
  let api: TestApi;
  const current = { admin: {} as Caller, subscriptionId: 0, sequence: 0 };
  before("serve the log", async () => {
    api = await startApi({
      routes: deliveryLogRoutes(createDeliveryLog({ db: database.db })),
      authenticate: async (token) => {
        const caller = callers.get(token);
        return caller === undefined ? undefined : { caller, hasSolution: true };
      },
    });
  });
  beforeEach("add a subscription", async () => {
    current.admin = await aCaller(database.db);
    const { enterpriseId: enterprise_id } = current.admin;
    current.subscriptionId = (await aSubscription(database.db, { enterprise_id })).id;
  });
  after("stop serving", () => api.close());

  const callAs = (caller: Caller): LogCall => {
    callers.set(caller.token, caller);
    return async (path) => {
      const headers = { authorization: `Bearer ${caller.token}` };
      const answer = await fetch(`${api.url}/api${path}`, { headers });
      const text = await answer.text();
      const isCsv = answer.headers.get("content-type")?.startsWith("text/csv") === true;
      const body = (isCsv ? { text } : JSON.parse(text)) as never;
      return { status: answer.status, headers: answer.headers, body };
    };
  };
  const call: LogCall = (path) => callAs(current.admin)(path);

  const aDelivery = async (columns: Columns = {}, event: Columns = {}): Promise<number> => {
    const { enterpriseId: enterprise_id } = current.admin;
    const { id, occurred_at } = await anEvent(database.db, { enterprise_id, ...event });
    current.sequence += 1;
    const row = {
      ...{ enterprise_id, subscription_id: current.subscriptionId, sequence: current.sequence },
      ...{ event_row_id: id, event_at: occurred_at, object: "ticket", key: "ticket:1" },
      ...{ state: "delivered", due_at: new Date("2026-11-20T11:30:00Z") },
      ...columns,
    };
    const [inserted] = await database.db("deliveries").insert(row).returning("id");
    // The event's time has microseconds, which a Date would truncate.
    await rowsOf(
      database.db,
      "UPDATE deliveries d SET event_at = e.occurred_at FROM events e WHERE e.id = d.event_row_id",
    );
    return (inserted as { id: number }).id;
  };
  const anAttempt = async (deliveryId: number, columns: Columns): Promise<void> => {
    await database.db("attempts").insert({
      enterprise_id: current.admin.enterpriseId,
      ...{ started_at: new Date(), delivery_id: deliveryId, number: 1, duration_ms: 84 },
      ...columns,
    });
  };
  const list = async (query = ""): Promise<LogPage> =>
    (await call(`/webhooks/${current.subscriptionId}/deliveries${query}`)).body as never;

  return { current, callAs, call, aDelivery, anAttempt, list };
}
