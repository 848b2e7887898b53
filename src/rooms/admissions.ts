/** Who waits to come in: people at a moderated meeting, customers whose agent is rung. */
import { inTransaction, type Db } from "../platform/db/pool.ts";
import type { Guest } from "../http/route.ts";
import {
  askAdmission,
  decideAdmissions,
  deleteOldAdmissions,
  findAdmission,
  listWaiting,
  type AdmissionState,
  type Waiting,
} from "./admissions-store.ts";
import { entryOf } from "./guest.ts";
import type { RoomsDeps } from "./ports.ts";
import type { Entry } from "./room.ts";
import type { RoomId } from "./store.ts";

export type Admissions = {
  /**
   * The customer of a ticket waits: the agent is rung, once per use of the link. False where
   * nobody was rung: it was told before, or the ticket is over.
   */
  agentContacted(guest: Guest): Promise<boolean>;
  /** Somebody waits at a moderated meeting. Asking again changes nothing; it tells how it stands. */
  knock(guest: Guest): Promise<Exclude<AdmissionState, "none"> | "over">;
  /** Who waits, for those who may let them in. */
  listWaiting(by: Guest): Promise<Waiting[]>;
  /** Lets waiting people in: the named ones, or all. Out: who now may join. */
  admit(by: Guest, participants: readonly string[] | "all"): Promise<string[]>;
  /** Refuses people who wait or were let in. Out: who now may not join. */
  deny(by: Guest, participants: readonly string[]): Promise<string[]>;
};

const maxAgeMs = 24 * 3_600_000;

/** Deletes what is older than any room token, in one batch. */
export function cleanAdmissions(db: Db, now: Date): Promise<number> {
  return deleteOldAdmissions(db, new Date(now.getTime() - maxAgeMs));
}

export function createAdmissions(deps: RoomsDeps): Admissions {
  const { db, clock, subjects } = deps;

  /** Runs the work where the room is not over, under the lock of its subject. */
  const whereOpen = <T>(
    { ref, conversationId }: Entry,
    work: (trx: Parameters<typeof askAdmission>[0], now: Date) => Promise<T>,
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
      const entry = entryOf(guest);
      if (entry === undefined || entry.ref.kind !== "ticket" || guest.role !== "requestor") {
        return false;
      }
      const isTold = await whereOpen(entry, async (trx, now) => {
        const isNew = await askAdmission(trx, roomIdOf(guest), guest, now);
        if (isNew) {
          await subjects.ticket.agentContacted(trx, entry.ref, now);
        }
        return isNew;
      });
      return isTold ?? false;
    },

    knock: async (guest) => {
      const entry = entryOf(guest);
      if (entry === undefined || guest.role !== "waiting") {
        return "over";
      }
      const state = await whereOpen(entry, async (trx, now) => {
        await askAdmission(trx, roomIdOf(guest), guest, now);
        return findAdmission(trx, roomIdOf(guest), guest.participant, now);
      });
      return state === undefined || state === "none" ? "over" : state;
    },

    listWaiting: async (by) => (mayDecide(by) ? listWaiting(db, roomIdOf(by), clock.now()) : []),
    admit: (by, participants) =>
      decide(by, "admitted", participants === "all" ? undefined : participants),
    deny: (by, participants) => decide(by, "denied", participants),
  };
}

function mayDecide({ role, conferenceId }: Guest): boolean {
  return conferenceId !== null && (role === "organizer" || role === "moderator");
}

function roomIdOf({ enterpriseId, conversationId }: Guest): RoomId {
  return {
    enterpriseId,
    conversationId,
  };
}
