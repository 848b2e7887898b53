/**
 * In: a user who was deleted. Out: no name, address or phone number of theirs in the timelines, calls
 * and chats of the enterprise.
 * Guarantee: their actions stay. A step that runs twice changes nothing more.
 * On crash: the task continues with the step that was not stored.
 */
import { createHash } from "node:crypto";
import type { Clock } from "../../platform/clock.ts";
import { rowsOf, type Db, type Trx } from "../../platform/db/pool.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { RunningTask, TaskHandlers, Tasks } from "../../platform/tasks/task.ts";
import type { EntityRef } from "../changes.ts";
import type { User } from "./model.ts";

export type EraseDeps = Readonly<{ db: Db; clock: Clock; tasks: Pick<Tasks, "plan"> }>;

type Erasure = EntityRef &
  Readonly<{
    /** Hash of `identityOf`, because tasks are kept for a while; empty for a user without a name. */
    identity: string;
    /** The last conversation that is done. */
    after: number;
  }>;

/** By then every request that still knew the name has written what it writes. */
const firstStepAfterMs = 60_000;

/** Plans the erasure, in the transaction that deletes the user. */
export function planErasure(
  deps: Pick<EraseDeps, "clock" | "tasks">,
  trx: Trx,
  user: User,
): Promise<void> {
  const person = identityOf(user);
  const identity = person === "" ? "" : createHash("sha256").update(person).digest("hex");
  const { enterpriseId, id } = user;
  return planStep(deps, trx, { enterpriseId, id, identity, after: 0 }, firstStepAfterMs);
}

/** Entries of a timeline copy the person, without an id. In SQL: `identitySql`. */
function identityOf({ email, firstname, lastname }: User): string {
  return email === "" ? `${firstname} ${lastname}`.trim() : email;
}

const identitySql = `encode(sha256(convert_to(coalesce(nullif(e.attributes->'agent'->>'email', ''),
  trim((e.attributes->'agent'->>'firstname') || ' ' || (e.attributes->'agent'->>'lastname'))),
  'UTF8')), 'hex')`;

/** Conversations per transaction. */
const batchSize = 500;

/** Task handlers of users. */
export function createErasure(deps: EraseDeps): TaskHandlers {
  return {
    "user.erase": (task) =>
      inTransaction(deps.db, async (trx) => {
        const erasure = erasureOf(task);
        const conversations = await nextConversations(trx, erasure);
        await eraseFrom(trx, erasure, conversations);
        const after = conversations.at(-1);
        if (after === undefined) {
          return { kind: "done" };
        }
        await planStep(deps, trx, { ...erasure, after });
        return { kind: "replanned" };
      }),
  };
}

function planStep(
  { clock, tasks }: Pick<EraseDeps, "clock" | "tasks">,
  trx: Trx,
  { enterpriseId, id, identity, after }: Erasure,
  delayMs = 0,
): Promise<void> {
  const data = { id, identity, after };
  const dueAt = new Date(clock.now().getTime() + delayMs);
  return tasks.plan(trx, [{ kind: "user.erase", key: `user:${id}`, enterpriseId, dueAt, data }]);
}

function erasureOf({ enterpriseId, data }: RunningTask): Erasure {
  return {
    enterpriseId,
    id: Number(data["id"]),
    identity: String(data["identity"]),
    after: Number(data["after"]),
  };
}

async function nextConversations(trx: Trx, { enterpriseId, after }: Erasure): Promise<number[]> {
  const rows = await rowsOf<{ id: number }>(
    trx,
    `SELECT id FROM conversations WHERE enterprise_id = ? AND id > ? ORDER BY id LIMIT ?`,
    [enterpriseId, after, batchSize],
  );
  return rows.map(({ id }) => id);
}

async function eraseFrom(
  trx: Trx,
  { enterpriseId, id, identity }: Erasure,
  conversations: readonly number[],
): Promise<void> {
  await rowsOf(
    trx,
    `UPDATE session_events e SET attributes = (e.attributes::jsonb || jsonb_build_object('agent',
        jsonb_build_object('email', '', 'phone', '', 'firstname', '', 'lastname', '')))::json
      FROM tickets t
      WHERE t.enterprise_id = ? AND t.conversation_id = ANY(?) AND e.enterprise_id = t.enterprise_id
        AND e.ticket_id = t.id AND ${identitySql} = ?`,
    [enterpriseId, conversations, identity],
  );
  await rowsOf(
    trx,
    `UPDATE participations p SET name = '', user_agent = NULL FROM sessions s
      WHERE s.enterprise_id = ? AND s.conversation_id = ANY(?)
        AND p.enterprise_id = s.enterprise_id AND p.session_id = s.id AND p.user_id = ?`,
    [enterpriseId, conversations, id],
  );
  await rowsOf(
    trx,
    `UPDATE chat_messages SET name = ''
      WHERE enterprise_id = ? AND conversation_id = ANY(?) AND user_id = ?`,
    [enterpriseId, conversations, id],
  );
}
