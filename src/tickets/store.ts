import { ticketReachSql } from "../access/reach.ts";
import {
  type TicketFields,
  fieldColumns,
  readFields,
  ticketFields,
  type TicketFieldColumns,
} from "./fields.ts";
import type { TicketRef } from "../contracts/tickets.ts";
import type { TicketState } from "../contracts/events.ts";
import type { Scope } from "../contracts/permissions.ts";
import { problem } from "../contracts/problems.ts";
import type { Geoloc, Person } from "../contracts/session-events.ts";
import type { Queryable, Trx } from "../platform/db/pool.ts";
import { isDivisionByZero } from "../platform/db/errors.ts";
import { preparedRowsOf, sharedRowsOf } from "../platform/db/prepared.ts";
import { unindexedNumberSql, unindexedTextSql, unindexedUnsetSql } from "../platform/db/where.ts";
import { submitInTransaction } from "../platform/db/transaction.ts";
import { expiresAt, type CloseReason, type Ticket } from "./model.ts";

/** A ticket of the enterprise, and whether the scope reaches it. */
export type FoundTicket = { ticket: Ticket; isInReach: boolean };

export type TicketUpdate = Readonly<{
  state: TicketState;
  modifiedAt: Date;
  lastInvitedAt?: Date;
  geoloc?: Geoloc;
  agentId?: number;
  closeReason?: CloseReason;
  fields?: TicketFields;
}>;

/** A row as `ticketColumns` reads it. For the stores of tickets only. */
export type TicketRow = TicketFieldColumns & {
  id: number;
  enterprise_id: number;
  conversation_id: number;
  service_id: number;
  service_key: string;
  button_id: number;
  agent_id: number | null;
  agent: (Person & { login: string }) | null;
  state: TicketState;
  requestor_secret: string;
  information_code: string;
  geoloc_lat: number | null;
  geoloc_lng: number | null;
  template_id: number | null;
  last_invited_at: Date | null;
  close_reason: CloseReason | null;
  start_time: Date;
  end_time: Date;
  created_at: Date;
  modified_at: Date;
  version?: string;
};

const ownColumns = [
  ...["id", "enterprise_id", "conversation_id", "service_id", "button_id", "agent_id", "state"],
  ...["requestor_secret", "information_code", "geoloc_lat", "geoloc_lng", "template_id"],
  ...["last_invited_at", "close_reason", "start_time", "end_time", "created_at", "modified_at"],
  ...Object.values(ticketFields).map(({ column }) => column),
].map((column) => `t.${column}`);

const enterpriseSql = unindexedNumberSql("t.enterprise_id");

/** Not deleted. */
const isKeptSql = unindexedUnsetSql("t.deleted_at");

const agentColumn = `
  (SELECT json_build_object('login', u.login, 'email', u.email, 'phone', u.phone,
      'firstname', u.firstname, 'lastname', u.lastname)
    FROM users u WHERE u.id = t.agent_id) AS agent`;

// Sub-selects, not joins: when Postgres rereads the row after waiting for a lock, an outer join
// whose key has changed would be empty.
export const ticketColumns = `${ownColumns.join(", ")},
  (SELECT s.service_key FROM services s WHERE s.id = t.service_id) AS service_key,
  ${agentColumn}`;

/** A ticket that is not deleted, with its version. Other enterprises' tickets are not found. */
export function findTicket(
  db: Queryable,
  scope: Scope,
  id: number,
): Promise<FoundTicket | undefined> {
  return selectOne(db, scope, id, "unlocked");
}

/** Throws 404 if the enterprise has no such ticket, 403 if it is out of reach. */
export function requireReach(found: FoundTicket | undefined, id: number): Ticket {
  if (found === undefined) {
    throw problem("not_found", `Ticket ${id} was not found.`);
  }
  if (!found.isInReach) {
    throw problem("forbidden", `Ticket ${id} belongs to another user.`);
  }
  return found.ticket;
}

/** Locks a ticket for customers, rooms and timers, which have no scope. */
export async function lockTicketOf(trx: Trx, ref: TicketRef): Promise<Ticket | undefined> {
  return (await lockTicket(trx, everythingOf(ref), ref.ticketId))?.ticket;
}

/** The same without the lock, to read only. */
export async function findTicketOf(db: Queryable, ref: TicketRef): Promise<Ticket | undefined> {
  return (await findTicket(db, everythingOf(ref), ref.ticketId))?.ticket;
}

function everythingOf({ enterpriseId }: TicketRef): Scope {
  return { enterpriseId, userId: 0, groupIds: [], reach: "all" };
}

/**
 * Like `findTicket`, and locks the row until the end of the transaction: concurrent callers wait.
 */
export function lockTicket(trx: Trx, scope: Scope, id: number): Promise<FoundTicket | undefined> {
  return selectOne(trx, scope, id, "locked");
}

async function selectOne(
  db: Queryable,
  scope: Scope,
  id: number,
  mode: "unlocked" | "locked",
): Promise<FoundTicket | undefined> {
  const reach = ticketReachSql(scope);
  const [version, lock] = mode === "locked" ? ["", "FOR UPDATE"] : ["t.xmin AS version,", ""];
  const [row] = await sharedRowsOf<TicketRow & { is_in_reach: boolean | null }>(
    db,
    `SELECT ${version} ${ticketColumns}, ${reach.sql} AS is_in_reach
      FROM tickets t WHERE t.id = ? AND ${enterpriseSql} = ? AND ${isKeptSql} ${lock}`,
    [...reach.bindings, id, scope.enterpriseId],
  );
  return row && { ticket: toTicket(row), isInReach: row.is_in_reach === true };
}

/**
 * Updates the ticket `before` and returns it as updated. The transaction fails with `isOutdated` if the
 * ticket has changed since it was read, which a lock excludes.
 */
export async function updateTicket(
  trx: Trx,
  before: Ticket,
  update: TicketUpdate,
): Promise<Ticket> {
  const { id, enterpriseId, agent } = before;
  const fields = fieldColumns(update.fields ?? before);
  const values = columnsAfter(before, update);
  updateSql ??= updateSqlOf([...Object.keys(fields), ...Object.keys(values)]);
  const agesAt = agesAfter(before, update);
  await submitInTransaction(trx, updateSql, [
    ...Object.values(fields),
    ...Object.values(values),
    ...[update.state, agesAt, agesAt],
    ...[update.closeReason ?? null, id, enterpriseId, before.state, before.version ?? null],
  ]);
  return {
    ...before,
    ...update.fields,
    version: undefined, // the update has locked it
    state: update.state,
    modifiedAt: update.modifiedAt,
    lastInvitedAt: values.last_invited_at,
    geoloc: update.geoloc ?? before.geoloc,
    closeReason: update.closeReason ?? before.closeReason,
    agent: values.agent_id === agent?.id ? agent : await findAgentOf(trx, before),
  };
}

/** Whether a transaction failed because a ticket was not in the version or state expected. */
export function isOutdated(error: Error): boolean {
  return isDivisionByZero(error);
}

/** Made once, from the columns of the first update: they are always the same. */
let updateSql: string | undefined;

/** The new agent of a ticket whose update was submitted before. */
async function findAgentOf(
  trx: Trx,
  { id, enterpriseId }: Pick<Ticket, "id" | "enterpriseId">,
): Promise<Ticket["agent"]> {
  const [row] = await preparedRowsOf<Pick<TicketRow, "agent_id" | "agent">>(
    trx,
    `SELECT t.agent_id, ${agentColumn} FROM tickets t WHERE t.id = ? AND ${enterpriseSql} = ?`,
    [id, enterpriseId],
  );
  return row === undefined ? null : toAgent(row);
}

/**
 * The columns that updates set besides the fields, with the same keys each time: one statement is
 * prepared, whatever changes. Postgres writes no index entry for a column that keeps its value.
 */
function columnsAfter(before: Ticket, update: TicketUpdate) {
  const { state, modifiedAt, fields = before } = update;
  const { lat, lng } = update.geoloc ?? before.geoloc ?? { lat: null, lng: null };
  return {
    start_time: fields.startTime,
    end_time: fields.endTime,
    agent_id: update.agentId ?? before.agent?.id ?? null,
    last_invited_at: update.lastInvitedAt ?? before.lastInvitedAt,
    geoloc_lat: lat,
    geoloc_lng: lng,
    state,
    ...modifiedColumns(modifiedAt),
  };
}

function agesAfter(before: Ticket, update: TicketUpdate): Date | null {
  return expiresAt({
    state: update.state,
    endTime: update.fields?.endTime ?? before.endTime,
    modifiedAt: update.modifiedAt,
    lastInvitedAt: update.lastInvitedAt ?? before.lastInvitedAt,
  });
}

/**
 * A due time that is only put off keeps its value, so that its index needs no entry. The timer then
 * finds a ticket that is not due, and corrects the time.
 */
const agesAtSql = `ages_at = CASE WHEN t.state = ? AND t.ages_at <= CAST(? AS timestamptz)
      THEN t.ages_at ELSE CAST(? AS timestamptz) END`;

/** Five minutes, as in the migration that adds the column. */
const modifiedBinMs = 5 * 60_000;

/**
 * The time of a change, and the five minutes in which it lies, by which lists are ordered first. An
 * index on the time itself would need a new entry for each change, and then every index would.
 */
export function modifiedColumns(at: Date) {
  const bin = Math.floor(at.getTime() / modifiedBinMs) * modifiedBinMs;
  return { modified_at: at, modified_bin: new Date(bin) };
}

/** Fails with a division by zero, and so ends the transaction, unless it updates one row. */
function updateSqlOf(columns: readonly string[]): string {
  return `WITH updated AS (
    UPDATE tickets t
    SET ${columns.map((column) => `${column} = ?`).join(", ")}, ${agesAtSql},
      close_reason = coalesce(?, t.close_reason)
    WHERE t.id = ? AND ${enterpriseSql} = ? AND ${unindexedTextSql("t.state")} = ?
      AND t.xmin = coalesce(CAST(? AS xid), t.xmin) AND ${isKeptSql}
    RETURNING t.id)
    SELECT 1 / count(*) AS one FROM updated`;
}

/** Soft delete: the row is kept for statistics until it is purged, but never found. */
export async function markTicketDeleted(
  trx: Trx,
  { id, enterpriseId }: Pick<Ticket, "id" | "enterpriseId">,
  at: Date,
): Promise<void> {
  await trx("tickets")
    .where({ id, enterprise_id: enterpriseId })
    .update({ deleted_at: at, ...modifiedColumns(at) });
}

export function toTicket(row: TicketRow): Ticket {
  return {
    id: row.id,
    enterpriseId: row.enterprise_id,
    conversationId: row.conversation_id,
    serviceId: row.service_id,
    serviceKey: row.service_key,
    buttonId: row.button_id,
    agent: toAgent(row),
    state: row.state,
    requestorSecret: row.requestor_secret,
    informationCode: row.information_code,
    geoloc:
      row.geoloc_lat === null || row.geoloc_lng === null
        ? null
        : { lat: row.geoloc_lat, lng: row.geoloc_lng },
    templateId: row.template_id,
    lastInvitedAt: row.last_invited_at,
    closeReason: row.close_reason,
    startTime: row.start_time,
    endTime: row.end_time,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
    version: row.version,
    ...readFields(row),
  };
}

function toAgent({ agent_id: id, agent }: Pick<TicketRow, "agent_id" | "agent">): Ticket["agent"] {
  if (id === null || agent === null) {
    return null;
  }
  const { login, ...person } = agent;
  return { id, login, person };
}
