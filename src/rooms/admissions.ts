/**
 * Waiting rooms of moderated meetings, and visits of ticket customers, which notify the agent once.
 */
import type {
  AdmissionKey,
  Admissions,
  AdmissionState,
  RoomRef,
  WaitingParticipant,
} from "../contracts/rooms.ts";
import { isModerator } from "../contracts/signalling.ts";
import { type Db, rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import type { Guest } from "../http/route.ts";
import { roomEntryOf, type RoomEntry } from "./room.ts";
import type { RoomsDeps } from "./model.ts";

const waitLimitMs = 30 * 60_000;

const maxAgeMs = 24 * 3_600_000;

/** Deletes one batch of admissions older than any room token. */
export function cleanAdmissions(db: Db, now: Date): Promise<number> {
  return deleteOldAdmissions(db, new Date(now.getTime() - maxAgeMs));
}

/** Deletes one batch of admissions older than `before`. Out: the number of deleted rows. */
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

export function createAdmissions(deps: RoomsDeps): Admissions<Guest> {
  const { db, clock, subjects } = deps;

  /** Runs `work` under the subject's lock, unless the room is over. */
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
      mayDecide(by)
        ? (await listWaitingParticipants(db, [roomIdOf(by)], clock.now())).map(toWaiting)
        : [],
    admit: (by, participants) =>
      decide(by, "admitted", participants === "all" ? undefined : participants),
    deny: (by, participants) => decide(by, "denied", participants),
    listWaitingIn: async (rooms) => {
      const waiting = await listWaitingParticipants(db, rooms, clock.now());
      const here = (id: number) => waiting.filter(({ conversationId }) => conversationId === id);
      return new Map(rooms.map(({ conversationId: id }) => [id, here(id).map(toWaiting)]));
    },
    findAdmissions: (guests) => findAdmissionStates(db, guests, clock.now()),
  };
}

type AdmissionRequest = Readonly<{ participant: string; visit: string; name: string }>;

/**
 * Inserts an admission request. False: the same use of the link (`visit`) already asked, or the
 * participant is admitted. A new visit may ask again after a denial or expiry.
 */
export async function insertAdmissionRequest(
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

/** Stores a removal as a denied request, so the participant cannot join again. */
export async function insertDenial(
  trx: Trx,
  { enterpriseId, conversationId, participant }: AdmissionKey,
  at: Date,
): Promise<void> {
  await rowsOf(
    trx,
    `INSERT INTO admissions AS a
       (enterprise_id, conversation_id, participant, visit, name, asked_at, state, decided_at)
     VALUES (?, ?, ?, '', '', ?, 'denied', ?)
     ON CONFLICT (conversation_id, participant)
       DO UPDATE SET state = 'denied', decided_at = excluded.decided_at`,
    [enterpriseId, conversationId, participant, at, at],
  );
}

function mayDecide({ role, conferenceId }: Guest): boolean {
  return conferenceId !== null && isModerator(role);
}

type AdmissionDecision = Readonly<{
  /** Undefined: all waiting participants. */
  participants: readonly string[] | undefined;
  to: "admitted" | "denied";
  at: Date;
}>;

/**
 * Compare-and-swap in one statement, so the first of two concurrent decisions wins. Only waiting
 * participants can be admitted; admitted ones can still be denied. Out: the changed participants.
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

function toWaiting({ participant, name, askedAt }: WaitingParticipant): WaitingParticipant {
  return { participant, name, askedAt };
}

export async function findAdmission(
  db: Queryable,
  room: RoomRef,
  participant: string,
  now: Date,
): Promise<AdmissionState> {
  const [state] = await findAdmissionStates(db, [{ ...room, participant }], now);
  return state ?? "none";
}

/** Out: one state per key, in the order of `keys`. */
async function findAdmissionStates(
  db: Queryable,
  keys: readonly AdmissionKey[],
  now: Date,
): Promise<AdmissionState[]> {
  const rows = await rowsOf<{ state: AdmissionState }>(
    db,
    `SELECT CASE WHEN a.state = 'waiting' AND a.asked_at <= ? THEN 'expired'
       ELSE coalesce(a.state, 'none') END AS state
     FROM ROWS FROM (json_to_recordset(?::json)
       AS (enterprise_id bigint, conversation_id bigint, participant text)) WITH ORDINALITY
       AS input (enterprise_id, conversation_id, participant, place)
     LEFT JOIN admissions a ON a.enterprise_id = input.enterprise_id
       AND a.conversation_id = input.conversation_id AND a.participant = input.participant
     ORDER BY input.place`,
    [
      new Date(now.getTime() - waitLimitMs),
      JSON.stringify(
        keys.map(({ enterpriseId, conversationId, participant }) => ({
          enterprise_id: enterpriseId,
          conversation_id: conversationId,
          participant,
        })),
      ),
    ],
  );
  return rows.map(({ state }) => state);
}

/** Per room, so that a crowd at one room hides nobody at another. */
const maxListed = 200;

/** Waiting participants of these rooms, longest waiting first. */
async function listWaitingParticipants(
  db: Queryable,
  rooms: readonly RoomRef[],
  now: Date,
): Promise<(WaitingParticipant & { conversationId: number })[]> {
  const rows = await rowsOf<{
    conversation_id: number;
    participant: string;
    name: string;
    asked_at: Date;
  }>(
    db,
    `SELECT input.conversation_id, a.participant, a.name, a.asked_at
     FROM json_to_recordset(?::json) AS input (enterprise_id bigint, conversation_id bigint)
     CROSS JOIN LATERAL (
       SELECT id, participant, name, asked_at FROM admissions
       WHERE enterprise_id = input.enterprise_id AND conversation_id = input.conversation_id
         AND state = 'waiting' AND asked_at > ?
       ORDER BY asked_at, id LIMIT ${maxListed}) AS a
     ORDER BY a.asked_at, a.id`,
    [
      JSON.stringify(
        rooms.map(({ enterpriseId, conversationId }) => ({
          enterprise_id: enterpriseId,
          conversation_id: conversationId,
        })),
      ),
      new Date(now.getTime() - waitLimitMs),
    ],
  );
  return rows.map((row) => ({
    conversationId: row.conversation_id,
    participant: row.participant,
    name: row.name,
    askedAt: row.asked_at,
  }));
}
