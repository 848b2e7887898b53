import { expect } from "chai";
import { rowsOf, type Db } from "../../src/platform/db/pool.ts";
import { useDatabase } from "./database.ts";
import { aSubscription, type SubscriptionRow } from "./factories.ts";
import {
  readMade,
  seedPast,
  startReplayApi,
  type ReplayApi,
  type Seed,
  type Seeded,
} from "./replays.ts";
import { aCaller, type ApiAnswer, type Call } from "./webhook-api.ts";

export type ReplayHarness = {
  readonly db: Db;
  readonly api: ReplayApi;
  /** A subscription of a new enterprise in every test. */
  readonly sub: SubscriptionRow;
  readonly enterpriseId: number;
  /** Calls the API as the administrator of that enterprise. */
  readonly call: Call;
  past(...seeds: Seed[]): Promise<Seeded[]>;
  /** Requests a replay. Returns its id. */
  ask(body?: object): Promise<number>;
  show(id: number): Promise<ApiAnswer["body"]>;
  /** The events for which a replay has created deliveries. */
  eventsOf(id: number): Promise<number[]>;
  hasOpenTask(id: number): Promise<boolean>;
};

type Current = { sub: SubscriptionRow; call: Call };

/** The replay operations on the file's database. */
export function useReplays(): ReplayHarness {
  const database = useDatabase();
  let api: ReplayApi | undefined;
  let current: Current | undefined;
  const here = <T>(value: T | undefined): T => {
    if (value === undefined) {
      throw new Error("It exists inside tests only");
    }
    return value;
  };
  before("start the operations", async () => {
    api = await startReplayApi(database.db);
  });
  beforeEach("make a webhook in a new enterprise", async () => {
    const admin = await aCaller(database.db);
    const input = { enterprise_id: admin.enterpriseId, filters: ["ticket.*"] };
    current = { sub: await aSubscription(database.db, input), call: here(api).as(admin) };
  });
  after("stop the operations", () => api?.close());
  const call: Call = (method, path, body) => here(current).call(method, path, body);
  return {
    get db() {
      return database.db;
    },
    get api() {
      return here(api);
    },
    get sub() {
      return here(current).sub;
    },
    get enterpriseId() {
      return here(current).sub.enterprise_id;
    },
    call,
    past: (...seeds) => seedPast(database.db, here(current).sub, seeds),
    ask: async (body = {}) => {
      const answer = await call("POST", `/webhooks/${here(current).sub.id}/replay`, body);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(202);
      return answer.body["id"] as number;
    },
    show: async (id) => (await call("GET", `/webhooks/replays/${id}`)).body,
    eventsOf: async (id) =>
      (await readMade(database.db, id)).map(({ event_row_id }) => event_row_id),
    hasOpenTask: async (id) => {
      const sql = "SELECT 1 FROM tasks WHERE key = ? AND ended_at IS NULL";
      return (await rowsOf(database.db, sql, [`replay:${id}`])).length > 0;
    },
  };
}
