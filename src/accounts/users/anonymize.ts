/**
 * In: a user who was deleted. Out: their last name, address and phone number removed from the
 * timelines, calls, chats and invitations of the enterprise.
 * Guarantee: their actions stay, and nobody else's entry changes. A step that runs twice changes
 * nothing more.
 * On crash: the task continues with the step that was not stored.
 */
import { createHash } from "node:crypto";
import { userParticipant } from "../../contracts/rooms.ts";
import { sessionEventAttributes, sessionEventTypes } from "../../contracts/session-events.ts";
import type { Clock } from "../../platform/clock.ts";
import { rowsOf, type Db, type Trx } from "../../platform/db/pool.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { RunningTask, TaskHandlers, Tasks } from "../../platform/tasks/task.ts";
import type { EntityRef } from "../changes.ts";
import type { User } from "./model.ts";

export type AnonymizeDeps = Readonly<{ db: Db; clock: Clock; tasks: Pick<Tasks, "plan"> }>;

type Anonymization = EntityRef &
  Readonly<{
    /**
     * For entries without the user's id, which older versions wrote: hash of the person as they copy
     * it, because tasks are kept for a while; empty: unknown.
     */
    person: string;
    /** Later ones with the same name are those of a new account. */
    until: string;
    /** The last conversation that is done. */
    after: number;
  }>;

/** By then every request that still knew the name has written what it writes. */
const firstStepAfterMs = 60_000;

/** Entries may be this much younger than the deletion: their requests had begun before. */
const lateMs = 5_000;

/** Plans the anonymization, in the transaction that deletes the user. */
export async function planAnonymization(
  deps: Pick<AnonymizeDeps, "clock" | "tasks">,
  trx: Trx,
  user: User,
): Promise<void> {
  const { enterpriseId, id, email, firstname, lastname } = user;
  const name = [email, firstname, lastname].join(separator);
  const isUnique = (email || firstname || lastname) !== "" && !(await hasNamesake(trx, user));
  const person = isUnique ? createHash("sha256").update(name).digest("hex") : "";
  const until = new Date(deps.clock.now().getTime() + lateMs).toISOString();
  await planStep(deps, trx, { enterpriseId, id, person, until, after: 0 }, firstStepAfterMs);
}

/** Entries without the user's id name a person only: those of two such users cannot be told apart. */
async function hasNamesake(trx: Trx, user: User): Promise<boolean> {
  const { enterpriseId, id, email, firstname, lastname } = user;
  const rows = await rowsOf(
    trx,
    `SELECT FROM users WHERE enterprise_id = ? AND id <> ? AND deleted_at IS NULL
       AND email = ? AND firstname = ? AND lastname = ? LIMIT 1`,
    [enterpriseId, id, email, firstname, lastname],
  );
  return rows.length > 0;
}

/** Unit separator: no input contains control characters. */
const separator = "\u001f";

/** The same hash in SQL. */
const personSql = `encode(sha256(convert_to(concat_ws(chr(31), e.attributes->'agent'->>'email',
  e.attributes->'agent'->>'firstname', e.attributes->'agent'->>'lastname'), 'UTF8')), 'hex')`;

const nobody = JSON.stringify({ email: "", phone: "", firstname: "", lastname: "" });

/** The types of entries with such a copy. */
const typesWithAgent = sessionEventTypes.filter((type) =>
  sessionEventAttributes[type].includes("agent"),
);

/** Conversations per transaction. */
const batchSize = 500;

/** Task handlers of users. */
export function createAnonymization(deps: AnonymizeDeps): TaskHandlers {
  return {
    "user.anonymize": (task) =>
      inTransaction(deps.db, async (trx) => {
        const one = anonymizationOf(task);
        const conversations = await nextConversations(trx, one);
        await anonymizeIn(trx, one, conversations);
        const after = conversations.at(-1);
        if (after === undefined) {
          return { kind: "done" };
        }
        await planStep(deps, trx, { ...one, after });
        return { kind: "replanned" };
      }),
  };
}

function planStep(
  { clock, tasks }: Pick<AnonymizeDeps, "clock" | "tasks">,
  trx: Trx,
  { enterpriseId, ...data }: Anonymization,
  delayMs = 0,
): Promise<void> {
  const dueAt = new Date(clock.now().getTime() + delayMs);
  const key = `user:${data.id}`;
  return tasks.plan(trx, [{ kind: "user.anonymize", key, enterpriseId, dueAt, data }]);
}

function anonymizationOf({ enterpriseId, data }: RunningTask): Anonymization {
  return {
    enterpriseId,
    id: Number(data["id"]),
    person: String(data["person"]),
    until: String(data["until"]),
    after: Number(data["after"]),
  };
}

async function nextConversations(
  trx: Trx,
  { enterpriseId, after }: Anonymization,
): Promise<number[]> {
  const rows = await rowsOf<{ id: number }>(
    trx,
    "SELECT id FROM conversations WHERE enterprise_id = ? AND id > ? ORDER BY id LIMIT ?",
    [enterpriseId, after, batchSize],
  );
  return rows.map(({ id }) => id);
}

async function anonymizeIn(
  trx: Trx,
  { enterpriseId, id, person, until }: Anonymization,
  conversations: readonly number[],
): Promise<void> {
  const scope = [enterpriseId, conversations];
  // As text, so that the members of the entry keep their order.
  await rowsOf(
    trx,
    `UPDATE session_events e
      SET attributes = replace(e.attributes::text, (e.attributes->'agent')::text, ?)::json
      FROM tickets t
      WHERE t.enterprise_id = ? AND t.conversation_id = ANY(?) AND e.enterprise_id = t.enterprise_id
        AND e.ticket_id = t.id AND e.event_type = ANY(?) AND (e.agent_id = ?
          OR (e.agent_id IS NULL AND e.created_at <= ? AND ${personSql} = ?))`,
    [nobody, ...scope, typesWithAgent, id, until, person],
  );
  await rowsOf(
    trx,
    `UPDATE participations p SET name = '', user_agent = NULL FROM sessions s
      WHERE s.enterprise_id = ? AND s.conversation_id = ANY(?)
        AND p.enterprise_id = s.enterprise_id AND p.session_id = s.id AND p.user_id = ?`,
    [...scope, id],
  );
  await rowsOf(
    trx,
    `UPDATE chat_messages SET name = ''
      WHERE enterprise_id = ? AND conversation_id = ANY(?) AND user_id = ?`,
    [...scope, id],
  );
  await rowsOf(
    trx,
    `UPDATE expert_invitations i SET name = NULL, contact = NULL FROM tickets t
      WHERE t.enterprise_id = ? AND t.conversation_id = ANY(?)
        AND i.enterprise_id = t.enterprise_id AND i.ticket_id = t.id AND i.user_id = ?`,
    [...scope, id],
  );
  await rowsOf(
    trx,
    `UPDATE admissions SET name = ''
      WHERE enterprise_id = ? AND conversation_id = ANY(?) AND participant = ?`,
    [...scope, userParticipant(id)],
  );
}
