import { randomBytes } from "node:crypto";
import { openPlatform, type Platform, composeOutbox } from "../../src/compose/platform.ts";
import { startDelivery, startRelay, startSchedule } from "../../src/compose/roles.ts";
import { loadConfig } from "../../src/config/config.ts";
import type { OutboundEvent } from "../../src/contracts/events.ts";
import { secretsAad, headersAad, type CustomHeader } from "../../src/contracts/subscriptions.ts";
import { rowsOf, type Db } from "../../src/platform/db/pool.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import type { StopPart } from "../../src/platform/lifecycle.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { backendEnvironment, type BackendKind } from "./backends.ts";
import { createTestClock, type TestClock } from "./clock.ts";
import type { TestDatabase } from "./database.ts";
import { anEnterprise, aSubscription, type SubscriptionRow } from "./factories.ts";
import type { TestRedis } from "./redis.ts";
import { testBox, testKey } from "./secret-box.ts";

/** The signing secret of all subscriptions created here. */
export const testSecret = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;

export type PipelineOptions = {
  kind: BackendKind;
  database: TestDatabase;
  redis: TestRedis;
  /**
   * By default, the system clock. With a test clock, nothing becomes due before the test advances
   * it.
   */
  clock?: TestClock;
  env?: Record<string, string>;
  roles?: readonly ("relay" | "schedule" | "delivery")[];
};

export type Pipeline = {
  platform: Platform;
  publish(events: readonly OutboundEvent[]): Promise<void>;
  stop(): Promise<void>;
};

const starters = { relay: startRelay, schedule: startSchedule, delivery: startDelivery };

/** Relay, schedule and delivery in this process, on the file's database and queue. */
export async function startPipeline(options: PipelineOptions): Promise<Pipeline> {
  const { kind, database, redis, clock } = options;
  const stops: StopPart[] = [];
  const environment = {
    ...backendEnvironment(kind, database, redis),
    SECRET_KEY: testKey.toString("base64"),
    ALLOW_LOCAL_RECEIVERS: "1",
    DELIVERY_TIMEOUT_MS: "2000",
    DELIVERY_LEASE_SECONDS: "4",
    SHUTDOWN_GRACE_SECONDS: "5",
    LOG_LEVEL: "silent",
    ...options.env,
  };
  const config = loadConfig(environment);
  const platform = await openPlatform({
    config,
    log: createLogger(config.logLevel, "test"),
    lifecycle: {
      onStop: (_name, stop) => stops.push(stop),
      signal: new AbortController().signal,
    },
    databaseUrl: database.url,
    secretKey: testKey,
    ...(clock === undefined ? {} : { clock: { ...clock, resync: async () => undefined } }),
  });
  for (const role of options.roles ?? (["relay", "schedule", "delivery"] as const)) {
    starters[role](platform);
  }
  const outbox = composeOutbox(platform);
  return {
    platform,
    publish: (events) => inTransaction(platform.db, (trx) => outbox.append(trx, events)),
    stop: async () => {
      for (const stop of stops.toReversed()) {
        await stop(config.shutdownGraceMs);
      }
    },
  };
}

/**
 * Subscriptions are valid from the database's current time, so the test clock starts at the
 * present.
 */
export function clockAtNow(): TestClock {
  return createTestClock(new Date());
}

export type ReceivingOptions = {
  url: string;
  filters?: string[];
  headers?: CustomHeader[];
  enterpriseId?: number;
  isOrdered?: boolean;
};

/** An active subscription whose secrets are sealed with the test's key. */
export async function aReceivingSubscription(
  db: Db,
  { url, filters = ["*"], headers = [], enterpriseId, isOrdered = false }: ReceivingOptions,
): Promise<SubscriptionRow> {
  const enterprise_id = enterpriseId ?? (await anEnterprise(db)).id;
  const [row] = await rowsOf<{ id: number }>(
    db,
    "SELECT nextval(pg_get_serial_sequence('subscriptions', 'id')) AS id",
  );
  const id = row?.id ?? 0;
  return aSubscription(db, {
    id,
    enterprise_id,
    url,
    filters,
    is_ordered: isOrdered,
    secret_sealed: testBox.seal(
      JSON.stringify([{ secret: testSecret, until: null }]),
      secretsAad(enterprise_id, id),
    ),
    headers_sealed:
      headers.length === 0
        ? null
        : testBox.seal(JSON.stringify(headers), headersAad(enterprise_id, id)),
  });
}

/** A ticket event as appended by a use case. */
export function aTicketEvent(
  enterpriseId: number,
  ticketId: number,
  event: "create" | "update" | "delete" = "update",
): OutboundEvent {
  return {
    enterpriseId,
    key: `ticket:${ticketId}`,
    event,
    object: "ticket",
    objectId: ticketId,
    props: { state: "new" },
  };
}

/** Random hex that no other test uses. */
export function unique(): string {
  return randomBytes(6).toString("hex");
}
