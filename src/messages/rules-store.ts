import { usedSmsSql } from "../contracts/quotas.ts";
import { namedRowsOf, rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";

/** Sender settings and quotas of the enterprise. */
export type SendingRules = Readonly<{
  name: string;
  language: string;
  timeZone: string;
  smsSender: string;
  mailProvider: string | null;
  smsProvider: string | null;
  maxSmsPerDay: number;
}>;

export async function findSendingRules(db: Queryable, enterpriseId: number): Promise<SendingRules> {
  const [row] = await rowsOf<{
    name: string;
    language: string;
    time_zone: string;
    sms_sender: string;
    mail_provider: string | null;
    sms_provider: string | null;
    max_sms_per_day: number;
  }>(
    db,
    `SELECT name, language, time_zone, sms_sender, mail_provider, sms_provider, max_sms_per_day
     FROM enterprises WHERE id = ?`,
    [enterpriseId],
  );
  if (row === undefined) {
    throw new Error(`Enterprise ${enterpriseId} is gone`);
  }
  return {
    name: row.name,
    language: row.language,
    timeZone: row.time_zone,
    smsSender: row.sms_sender,
    mailProvider: row.mail_provider,
    smsProvider: row.sms_provider,
    maxSmsPerDay: row.max_sms_per_day,
  };
}

/** Distinguishes this lock from other advisory locks whose second number is the enterprise's id. */
const smsCountLock = 5_307;

/**
 * Counts the enterprise's SMS since then, without those rejected before sending. Takes an advisory
 * lock until the end of the transaction, so that two transactions cannot both use the last one of
 * the quota.
 */
export async function countSmsForQuota(
  trx: Trx,
  enterpriseId: number,
  since: Date,
): Promise<number> {
  await rowsOf(trx, "SELECT pg_advisory_xact_lock(?, ?)", [smsCountLock, enterpriseId]);
  const [row] = await rowsOf<{ total: number }>(trx, `SELECT (${usedSmsSql}) AS total`, [
    enterpriseId,
    since,
  ]);
  return row?.total ?? 0;
}

/** The numbers that have opted out of messages from the enterprise. */
export async function findOptedOut(
  db: Queryable,
  enterpriseId: number,
  phones: readonly string[],
): Promise<Set<string>> {
  const rows = await rowsOf<{ phone: string }>(
    db,
    "SELECT phone FROM opt_outs WHERE enterprise_id = ? AND phone = ANY (?::text[])",
    [enterpriseId, [...phones]],
  );
  return new Set(rows.map(({ phone }) => phone));
}

/**
 * STOP applies to every enterprise that wrote to the number: they share the provider's sender
 * number. The messages of purged tickets do not name the number; `phoneHash` finds those.
 */
export async function addOptOuts(
  db: Queryable,
  optOut: Readonly<{ phone: string; phoneHash: Buffer; at: Date }>,
): Promise<void> {
  await namedRowsOf(
    db,
    `INSERT INTO opt_outs (enterprise_id, phone, created_at)
     SELECT enterprise_id, :phone, CAST(:at AS timestamptz) FROM (
       SELECT enterprise_id FROM messages WHERE channel = 'sms' AND recipient = :phone
       UNION
       SELECT enterprise_id FROM purged_recipients WHERE phone_hash = :phoneHash
     ) AS senders
     ON CONFLICT DO NOTHING`,
    optOut,
  );
}

/** For one enterprise, whose provider reported the opt-out. */
export async function addOptOut(
  db: Queryable,
  optOut: Readonly<{ enterpriseId: number; phone: string; at: Date }>,
): Promise<void> {
  await rowsOf(
    db,
    "INSERT INTO opt_outs (enterprise_id, phone, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
    [optOut.enterpriseId, optOut.phone, optOut.at],
  );
}

/** Removes the opt-outs of the number for all enterprises. */
export async function removeOptOuts(db: Queryable, phone: string): Promise<void> {
  await rowsOf(db, "DELETE FROM opt_outs WHERE phone = ?", [phone]);
}
