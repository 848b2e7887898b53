/** Who waits to come in: people at a moderated meeting, customers whose agent is rung. */
import type { RoomRef } from "../contracts/rooms.ts";
import { inTransaction, type Db, rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";
import type { Guest } from "../http/route.ts";
import { roomEntryOf, type RoomEntry } from "./room.ts";
import type { RoomsDeps } from "./ports.ts";

export type Admissions = {
  /**
   * The customer of a ticket waits: the agent is rung, once per use of the link. False where
   * nobody was rung: it was told before, or the ticket is over.
   */
  agentContacted(guest: Guest): Promise<boolean>;
  /** Somebody waits at a moderated meeting. Asking again changes nothing; it tells how it stands. */
  requestAdmission(guest: Guest): Promise<Exclude<AdmissionState, "none"> | "over">;
  /** Who waits, for those who may let them in. */
  listWaiting(by: Guest): Promise<WaitingParticipant[]>;
  /** Lets waiting people in: the named ones, or all. Out: who now may join. */
  admit(by: Guest, participants: readonly string[] | "all"): Promise<string[]>;
  /** Refuses people who wait or were let in. Out: who now may not join. */
  deny(by: Guest, participants: readonly string[]): Promise<string[]>;
};

const waitLimitMs = 30 * 60_000;

/** `expired`: they waited for too long, and nobody can let them in any more. */
export type AdmissionState = "none" | "waiting" | "admitted" | "denied" | "expired";

export type WaitingParticipant = Readonly<{ participant: string; name: string; askedAt: Date }>;

const maxAgeMs = 24 * 3_600_000;

/** Deletes what is older than any room token, in one batch. */
export function cleanAdmissions(db: Db, now: Date): Promise<number> {
  return deleteOldAdmissions(db, new Date(now.getTime() - maxAgeMs));
}

/** Deletes a batch of what is older than any room token. Out: how many. */
async function deleteOldAdmissions(db: Queryable, before: Date): Promise<number> {
  const rows = await rowsOf(
    db,
    `DELETE FROM admissions WHERE id IN (
       SELECT id FROM admissions WHERE asked_at < ? ORDER BY asked_at LIMIT 1000)
     RETURNING id`,
    [before],
  );
  return rows.length;
}

export function createAdmissions(deps: RoomsDeps): Admissions {
  const { db, clock, subjects } = deps;

  /** Runs the work where the room is not over, under the lock of its subject. */
  const ifOpen = <T>(
    { ref, conversationId }: RoomEntry,
    work: (trx: Parameters<typeof insertAdmissionRequest>[0], now: Date) => Promise<T>,
  ): Promise<T | undefined> =>
    inTransaction(db, async (trx) => {
      const subject = await subjects[ref.kind].lock(trx, ref);
      const isOpen = subject?.isOver === false && subject.conversationId === conversationId;
      return isOpen ? work(trx, clock.now()) : undefined;
    });

  const decide = async (
    by: Guest,
    to: "admitted" | "denied",
    participants: readonly string[] | undefined,
  ): Promise<string[]> =>
    mayDecide(by) ? decideAdmissions(db, roomIdOf(by), { participants, to, at: clock.now() }) : [];

  return {
    agentContacted: async (guest) => {
      const entry = roomEntryOf(guest);
      if (entry === undefined || entry.ref.kind !== "ticket" || guest.role !== "requestor") {
        return false;
      }
      const isRung = await ifOpen(entry, async (trx, now) => {
        const isNew = await insertAdmissionRequest(trx, roomIdOf(guest), guest, now);
        if (isNew) {
          await subjects.ticket.agentContacted(trx, entry.ref, now);
        }
        return isNew;
      });
      return isRung ?? false;
    },

    requestAdmission: async (guest) => {
      const entry = roomEntryOf(guest);
      if (entry === undefined || guest.role !== "waiting") {
        return "over";
      }
      const state = await ifOpen(entry, async (trx, now) => {
        await insertAdmissionRequest(trx, roomIdOf(guest), guest, now);
        return findAdmission(trx, roomIdOf(guest), guest.participant, now);
      });
      return state === undefined || state === "none" ? "over" : state;
    },

    listWaiting: async (by) =>
      mayDecide(by) ? listWaitingParticipants(db, roomIdOf(by), clock.now()) : [],
    admit: (by, participants) =>
      decide(by, "admitted", participants === "all" ? undefined : participants),
    deny: (by, participants) => decide(by, "denied", participants),
  };
}

type AdmissionRequest = Readonly<{ participant: string; visit: string; name: string }>;

/**
 * Notes that somebody asks to come in. Out: false where this use of the link asked already, or
 * where they were admitted. Who was refused, or waited for too long, may ask again by another.
 */
async function insertAdmissionRequest(
  trx: Trx,
  { enterpriseId, conversationId }: RoomRef,
  { participant, visit, name }: AdmissionRequest,
  at: Date,
): Promise<boolean> {
  const rows = await rowsOf(
    trx,
    `INSERT INTO admissions AS a
       (enterprise_id, conversation_id, participant, visit, name, asked_at)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (conversation_id, participant) DO UPDATE
       SET visit = excluded.visit, name = excluded.name, asked_at = excluded.asked_at,
         state = 'waiting', decided_at = NULL
       WHERE a.visit <> excluded.visit AND a.state <> 'admitted'
     RETURNING a.id`,
    [enterpriseId, conversationId, participant, visit, name, at],
  );
  return rows.length > 0;
}

function mayDecide({ role, conferenceId }: Guest): boolean {
  return conferenceId !== null && (role === "organizer" || role === "moderator");
}

type AdmissionDecision = Readonly<{
  /** Undefined: everybody who waits. */
  participants: readonly string[] | undefined;
  to: "admitted" | "denied";
  at: Date;
}>;

/**
 * Decides, in one statement: of two who decide at once, the first wins. Only who waits is admitted;
 * who was admitted may still be refused. Out: whom it concerned.
 */
async function decideAdmissions(
  db: Queryable,
  { enterpriseId, conversationId }: RoomRef,
  { participants, to, at }: AdmissionDecision,
): Promise<string[]> {
  const rows = await rowsOf<{ participant: string }>(
    db,
    `UPDATE admissions SET state = ?, decided_at = ?
     WHERE enterprise_id = ? AND conversation_id = ?
       AND (?::text[] IS NULL OR participant = ANY(?::text[]))
       AND ((state = 'waiting' AND asked_at > ?) OR (state = 'admitted' AND ? = 'denied'))
     RETURNING participant`,
    [
      to,
      at,
      enterpriseId,
      conversationId,
      ...[0, 1].map(() => (participants === undefined ? null : [...participants])),
      new Date(at.getTime() - waitLimitMs),
      to,
    ],
  );
  return rows.map((row) => row.participant);
}

function roomIdOf({ enterpriseId, conversationId }: Guest): RoomRef {
  return {
    enterpriseId,
    conversationId,
  };
}

export async function findAdmission(
  db: Queryable,
  { enterpriseId, conversationId }: RoomRef,
  participant: string,
  now: Date,
): Promise<AdmissionState> {
  const [row] = await rowsOf<{ state: AdmissionState }>(
    db,
    `SELECT CASE WHEN state = 'waiting' AND asked_at <= ? THEN 'expired' ELSE state END AS state
     FROM admissions WHERE enterprise_id = ? AND conversation_id = ? AND participant = ?`,
    [new Date(now.getTime() - waitLimitMs), enterpriseId, conversationId, participant],
  );
  return row?.state ?? "none";
}

/** Who waits, the longest waiting first. */
async function listWaitingParticipants(
  db: Queryable,
  { enterpriseId, conversationId }: RoomRef,
  now: Date,
): Promise<WaitingParticipant[]> {
  const rows = await rowsOf<{ participant: string; name: string; asked_at: Date }>(
    db,
    `SELECT participant, name, asked_at FROM admissions
     WHERE enterprise_id = ? AND conversation_id = ? AND state = 'waiting' AND asked_at > ?
     ORDER BY asked_at, id LIMIT 1000`,
    [enterpriseId, conversationId, new Date(now.getTime() - waitLimitMs)],
  );
  return rows.map((row) => ({
    participant: row.participant,
    name: row.name,
    askedAt: row.asked_at,
  }));
}
