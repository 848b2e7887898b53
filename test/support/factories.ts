import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { type Db, type Queryable, rowsOf } from "../../src/platform/db/pool.ts";

/** Columns by name; factories set defaults for all others. */
type Columns = Record<string, unknown>;

async function insert<Row>(db: Queryable, table: string, row: Columns): Promise<Row> {
  const names = Object.keys(row);
  const [inserted] = await rowsOf<Row>(
    db,
    `INSERT INTO ?? (${names.map(() => "??").join(", ")})
     VALUES (${names.map(() => "?").join(", ")}) RETURNING *`,
    [table, ...names, ...Object.values(row)],
  );
  if (inserted === undefined) {
    throw new Error(`Nothing was inserted into ${table}`);
  }
  return inserted;
}

/** Different in every call, so that values of unique columns never collide. */
let made = 0;
function next(): number {
  return (made += 1);
}

function letters(length: number): string {
  let text = "";
  for (let i = 0; i < length; i += 1) {
    text += "abcdefghijklmnopqrstuvwxyz0123456789"[randomInt(36)];
  }
  return text;
}

export type EnterpriseRow = {
  id: number;
  name: string;
  api_key: string;
  solution_enabled: boolean;
};

export async function anEnterprise(db: Db, columns: Columns = {}): Promise<EnterpriseRow> {
  return insert(db, "enterprises", {
    name: `Enterprise ${next()}`,
    api_key: randomBytes(16).toString("hex"),
    ...columns,
  });
}

export type UserRow = {
  id: number;
  enterprise_id: number;
  login: string;
  role: string;
  account_type: string;
  is_active: boolean;
};

/** A user, by default an active agent. Its password hash is invalid, so it cannot sign in. */
export async function aUser(
  db: Db,
  columns: Columns & { enterprise_id: number },
): Promise<UserRow> {
  return insert(db, "users", {
    login: `user${next()}@test.example`,
    password_hash: "none",
    role: "agent",
    is_agent: true,
    ...columns,
  });
}

export type ServiceRow = { id: number; enterprise_id: number; service_key: string; kind: string };

export async function aService(
  db: Db,
  columns: Columns & { enterprise_id: number },
): Promise<ServiceRow> {
  return insert(db, "services", {
    name: `Service ${next()}`,
    kind: "ticket",
    service_key: letters(32),
    ...columns,
  });
}

export type SubscriptionRow = {
  id: number;
  enterprise_id: number;
  url: string | null;
  is_active: boolean;
  filters: string[];
  revision: number;
};

/** The next revision number. Revisions are in commit order. */
async function takeRevision(db: Queryable): Promise<number> {
  const [row] = await rowsOf<{ revision: number }>(
    db,
    "UPDATE subscription_revision_counter SET revision = revision + 1 RETURNING revision",
  );
  return row?.revision ?? 0;
}

/**
 * An active subscription with its first revision and its health row. By default, `secret_sealed` is
 * random; a test that sends its deliveries must pass one that was sealed with its key.
 */
export async function aSubscription(
  db: Db,
  columns: Columns & { enterprise_id: number; valid_from?: Date },
): Promise<SubscriptionRow> {
  const { valid_from: validFrom = new Date(0), ...rest } = columns;
  return db.transaction(async (trx) => {
    const revision = await takeRevision(trx);
    const row = await insert<
      SubscriptionRow & { is_ordered: boolean; mode: string; conditions: string | null }
    >(trx, "subscriptions", {
      name: `Subscription ${next()}`,
      url: "http://127.0.0.1:9/hook",
      is_active: true,
      filters: ["ticket.*"],
      secret_sealed: randomBytes(60),
      revision,
      ...rest,
    });
    await insert(trx, "subscription_revisions", {
      revision,
      subscription_id: row.id,
      enterprise_id: row.enterprise_id,
      valid_from: validFrom,
      is_active: row.is_active,
      is_ordered: row.is_ordered,
      filters: row.filters,
      url: row.url,
      mode: row.mode,
      conditions: row.conditions,
    });
    const { id: subscription_id, enterprise_id } = row;
    await insert(trx, "subscription_health", { subscription_id, enterprise_id });
    return row;
  });
}

export type EventRow = { id: number; occurred_at: Date; event_id: string; key: string };

/** An event with its outbox row, as written by `append`. */
export async function anEvent(
  db: Db,
  columns: Columns & { enterprise_id: number },
): Promise<EventRow> {
  const objectId = String(next());
  return db.transaction(async (trx) => {
    const event = await insert<EventRow>(trx, "events", {
      event_id: `evt_${randomUUID()}`,
      object: "ticket",
      event: "create",
      object_id: objectId,
      key: `ticket:${objectId}`,
      body: JSON.stringify({ event: "create", time: 0, object: "ticket", objectId, props: {} }),
      ...columns,
    });
    const { enterprise_id } = columns;
    const { id: event_row_id, occurred_at } = event;
    await insert(trx, "outbox", { event_row_id, occurred_at, enterprise_id });
    return event;
  });
}

/** A template for SMS in French. */
export async function aTemplate(
  db: Db,
  enterpriseId: number,
  kind: "ticket" | "reminder",
): Promise<number> {
  const [row] = await rowsOf<{ id: number }>(
    db,
    `INSERT INTO templates (enterprise_id, kind, channel, language, text)
     VALUES (?, ?, 'sms', 'fr', 'Ours') RETURNING id`,
    [enterpriseId, kind],
  );
  return row?.id ?? 0;
}
