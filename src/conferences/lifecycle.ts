/**
 * What changes a conference besides the API: its timers and its room.
 * In: tasks of conferences. Out: reminders and ends, at most once each.
 * Guarantee: each handler re-checks under the lock, so repeated or stale tasks do nothing.
 * On crash: the transaction is rolled back and the task runs again.
 */
import type { Trx } from "../platform/db/pool.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import type { RunningTask, TaskHandlers, TaskOutcome } from "../platform/tasks/task.ts";
import { afterSession, type Conference, type ConferenceDeps, isOver, transition } from "./model.ts";
import { listGuests } from "./guest-store.ts";
import { toGuestNotice } from "./notices.ts";
import { lockConferenceById, markReminded, updateConference } from "./store.ts";
import type { RoomSubject } from "../contracts/rooms.ts";

export type ConferenceTimers = {
  /** Replaces the tasks of the conference by those that match its current state. */
  schedule(trx: Trx, conference: Conference): Promise<void>;
  /** Cancels all tasks of the conference. */
  cancel(trx: Trx, conference: Pick<Conference, "id">): Promise<void>;
};

const done: TaskOutcome = { kind: "done" };

export function createConferenceTasks(deps: ConferenceDeps): TaskHandlers {
  const { db, clock, invitations } = deps;

  const lapse = async (trx: Trx, conference: Conference, now: Date): Promise<TaskOutcome> => {
    const { isAllowed, to } = transition(conference.status, "lapse");
    if (!isAllowed || conference.isOpen) {
      return done; // people are in the room, or it is over: the end of the session decides
    }
    const dueAt = lapsesAt(conference);
    if (dueAt.getTime() > now.getTime()) {
      return runAgain(dueAt);
    }
    await updateConference(trx, conference, { status: to, at: now, endedAt: now });
    return done;
  };

  const remind = async (trx: Trx, conference: Conference, now: Date): Promise<TaskOutcome> => {
    const dueAt = reminderDueAt(conference);
    const isReminded = conference.remindedFor?.getTime() === conference.startTime.getTime();
    const isPast = conference.startTime.getTime() <= now.getTime();
    if (conference.status !== "scheduled" || dueAt === undefined || isReminded || isPast) {
      return done;
    }
    if (dueAt.getTime() > now.getTime()) {
      return runAgain(dueAt);
    }
    const guests = (await listGuests(trx, conference)).filter(
      ({ invitedAt }) => invitedAt !== null,
    );
    await markReminded(trx, conference);
    if (guests.length > 0) {
      await invitations.remindConference(trx, toGuestNotice(deps, { conference, guests, at: now }));
    }
    return done;
  };

  const locked =
    (work: (trx: Trx, conference: Conference, now: Date) => Promise<TaskOutcome>) =>
    async (task: RunningTask): Promise<TaskOutcome> =>
      inTransaction(db, async (trx) => {
        const conference = await lockConferenceById(trx, refOf(task));
        return conference === undefined ? done : work(trx, conference, clock.now());
      });

  return { "conference.end": locked(lapse), "conference.reminder": locked(remind) };
}

function runAgain(dueAt: Date): TaskOutcome {
  return { kind: "again", dueAt, reason: "moved" };
}

function refOf(task: RunningTask) {
  return {
    enterpriseId: task.enterpriseId,
    id: Number(task.data["conferenceId"]),
  };
}

/** How a conference reacts to its room: implements `RoomSubject`. */
export function createConferenceRoom(
  deps: Pick<ConferenceDeps, "clock" | "tasks">,
): RoomSubject<Trx> {
  const { clock } = deps;
  const timers = createConferenceTimers(deps);
  return {
    lock: async (trx, ref) => {
      const conference = await lockConferenceById(trx, ref);
      return (
        conference && {
          conversationId: conference.conversationId,
          isOver: isOver(conference.status),
          isLocked: conference.isLocked,
        }
      );
    },
    sessionStarted: async (trx, ref, at) => {
      const conference = await lockConferenceById(trx, ref);
      if (conference === undefined) {
        return;
      }
      const { isAllowed, to } = transition(conference.status, "start");
      if (isAllowed) {
        await updateConference(trx, conference, { status: to, at });
      }
    },
    sessionEnded: async (trx, ref, { cause }) => {
      const conference = await lockConferenceById(trx, ref);
      if (conference?.status !== "ongoing") {
        return;
      }
      const at = clock.now();
      const action = cause === "ended" ? "end" : afterSession(conference, at);
      const { to } = transition(conference.status, action);
      const isEnded = action === "end";
      const after = await updateConference(trx, conference, {
        status: to,
        at,
        ...(isEnded ? { endedAt: at } : {}),
      });
      await (isEnded ? timers.cancel(trx, after) : timers.schedule(trx, after));
    },
    agentContacted: noop,
    bothPresent: noop,
    established: noop,
    participantLeft: noop,
  };
}

export function createConferenceTimers({
  tasks,
  clock,
}: Pick<ConferenceDeps, "tasks" | "clock">): ConferenceTimers {
  const replaceTask = async (
    trx: Trx,
    kind: "conference.end" | "conference.reminder",
    { conference, dueAt }: { conference: Conference; dueAt: Date | undefined },
  ): Promise<void> => {
    const key = keyOf(conference);
    if (dueAt === undefined) {
      await tasks.cancel(trx, { kind, key });
      return;
    }
    const data = { conferenceId: conference.id };
    await tasks.plan(trx, [{ kind, key, enterpriseId: conference.enterpriseId, dueAt, data }]);
  };
  return {
    schedule: async (trx, conference) => {
      const endsAt = conference.isOpen ? undefined : lapsesAt(conference);
      await replaceTask(trx, "conference.end", { conference, dueAt: endsAt });
      const dueAt = reminderDueAt(conference);
      // Skips a reminder that would arrive together with the invitation.
      const isAhead = dueAt !== undefined && dueAt.getTime() > clock.now().getTime();
      await replaceTask(trx, "conference.reminder", {
        conference,
        dueAt: isAhead ? dueAt : undefined,
      });
    },
    cancel: async (trx, conference) => {
      const key = keyOf(conference);
      await tasks.cancel(trx, { kind: "conference.end", key });
      await tasks.cancel(trx, { kind: "conference.reminder", key });
    },
  };
}

function keyOf({ id }: Pick<Conference, "id">): string {
  return `conference:${id}`;
}

/** How long after its planned end an empty conference lapses. */
const lapseMs = 24 * 60 * 60 * 1000;

function lapsesAt({ endTime }: Pick<Conference, "endTime">): Date {
  return new Date(endTime.getTime() + lapseMs);
}

function reminderDueAt(conference: Conference): Date | undefined {
  return conference.reminderMinutes === null
    ? undefined
    : new Date(conference.startTime.getTime() - conference.reminderMinutes * 60_000);
}

async function noop(): Promise<void> {
  return undefined;
}
