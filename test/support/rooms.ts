import type { CallQuality } from "../../src/contracts/room-messages.ts";
import type { SubjectRef, RoomSubject } from "../../src/contracts/rooms.ts";
import type { WebhookBody } from "../../src/contracts/events.ts";
import type { Guest } from "../../src/http/route.ts";
import { createOutbox } from "../../src/pipeline/outbox/append.ts";
import { rowsOf, type Db, type Trx } from "../../src/platform/db/pool.ts";
import { randomIds } from "../../src/platform/ids.ts";
import type { NewTask, RunningTask, Tasks } from "../../src/platform/tasks/task.ts";
import type { RoomsDeps } from "../../src/rooms/model.ts";
import { createRooms } from "../../src/rooms/service.ts";
import { createTestClock } from "./clock.ts";
import {
  aGuest,
  aRoomConference,
  aRoomTicket,
  aRoomFixture,
  type RoomFixture,
  type Subject,
} from "./room-subjects.ts";

/** The recorded calls of a subject: `participantLeft agent`, `sessionEnded empty established`. */
export type RecordedEvents = Readonly<{ ref: SubjectRef; word: string; at: Date }>;

/** A subject that records its calls, and locks its real row. */
function recordingSubject(
  table: "tickets" | "conferences",
  notified: RecordedEvents[],
  over: Set<string>,
  locked: Set<string>,
): RoomSubject<Trx> {
  const note = (word: string) => async (_trx: Trx, ref: SubjectRef, at: Date) => {
    notified.push({ ref, word, at });
  };
  return {
    lock: async (trx, { enterpriseId, kind, id }) => {
      const [row] = await rowsOf<{ conversation_id: number }>(
        trx,
        `SELECT conversation_id FROM ?? AS locked_row WHERE id = ? AND enterprise_id = ?
           AND to_jsonb(locked_row)->>'deleted_at' IS NULL FOR UPDATE`,
        [table, id, enterpriseId],
      );
      return (
        row && {
          conversationId: row.conversation_id,
          isOver: over.has(`${kind} ${id}`),
          isLocked: locked.has(`${kind} ${id}`),
        }
      );
    },
    sessionStarted: note("sessionStarted"),
    agentContacted: note("agentContacted"),
    bothPresent: note("bothPresent"),
    established: note("established"),
    participantLeft: async (trx, ref, { role, at }) =>
      note(`participantLeft ${role}`)(trx, ref, at),
    sessionEnded: async (trx, ref, { cause, wasEstablished, at }) =>
      note(`sessionEnded ${cause}${wasEstablished ? " established" : ""}`)(trx, ref, at),
  };
}

/** Tasks in memory, with the rule of one open task per kind and key. */
function memoryTasks() {
  const open = new Map<string, NewTask>();
  const keyOf = ({ kind, key }: Pick<NewTask, "kind" | "key">): string => `${kind} ${key}`;
  const tasks: Tasks = {
    plan: async (_trx, planned) => planned.forEach((task) => open.set(keyOf(task), task)),
    cancel: async (_trx, task) => void open.delete(keyOf(task)),
  };
  return {
    tasks,
    open,
    takeDue: (now: Date): NewTask[] => {
      const due = [...open.values()].filter(({ dueAt }) => dueAt <= now);
      due.forEach((task) => open.delete(keyOf(task)));
      return due.toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime());
    },
  };
}

export function asRunning({ kind, key, enterpriseId, data = {} }: NewTask): RunningTask {
  return {
    id: 1,
    kind,
    key,
    enterpriseId,
    data,
    attempt: 1,
    generation: 1,
  };
}

/** The same functions, with `step` called before and after each of them. */
function steppingAll<T extends object>(step: () => void, all: T): T {
  return Object.fromEntries(
    Object.entries(all).map(([name, call]: [string, (...input: unknown[]) => Promise<unknown>]) => [
      name,
      async (...input: unknown[]) => {
        step();
        const result = await call(...input);
        step();
        return result;
      },
    ]),
  ) as T;
}

function stepping(step: () => void, deps: RoomsDeps): RoomsDeps {
  return {
    ...deps,
    tasks: steppingAll(step, deps.tasks),
    outbox: steppingAll(step, deps.outbox),
    subjects: {
      ticket: steppingAll(step, deps.subjects.ticket),
      conference: steppingAll(step, deps.subjects.conference),
    },
  };
}

/** The rooms on a test's database, with subjects that record their calls. */
export function createRoomFeature(
  db: Db,
  changed: Partial<RoomsDeps> = {},
  /** Called before and after every call to another feature. */
  step: () => void = () => undefined,
) {
  const clock = createTestClock();
  const notified: RecordedEvents[] = [];
  const over = new Set<string>();
  const locked = new Set<string>();
  const refused = new Set<string>();
  const memory = memoryTasks();
  const errors: object[] = [];
  const rooms = createRooms(
    stepping(step, {
      db,
      clock,
      ids: randomIds,
      tasks: memory.tasks,
      outbox: createOutbox({
        ids: randomIds,
        clock,
        wake: () => undefined,
        faultPoint: () => undefined,
        maxBytes: 262_144,
      }),
      maxParticipants: async () => 1_000,
      log: { error: (fields: object) => void errors.push(fields) },
      subjects: {
        ticket: recordingSubject("tickets", notified, over, locked),
        conference: recordingSubject("conferences", notified, over, locked),
      },
      hasConsent: async (_trx, { visit }) => !refused.has(visit),
      ...changed,
    }),
  );
  /** Runs due tasks, like the task worker. */
  const runDueTasks = async (): Promise<void> => {
    for (const task of memory.takeDue(clock.now())) {
      const outcome = await rooms.taskHandlers[task.kind]?.(
        asRunning(task),
        new AbortController().signal,
      );
      if (outcome?.kind === "again") {
        memory.open.set(`${task.kind} ${task.key}`, { ...task, dueAt: outcome.dueAt });
      }
    }
  };
  return {
    rooms,
    clock,
    events: notified,
    over,
    locked,
    refused,
    tasks: memory,
    errors,
    runDueTasks,
  };
}

export type RoomFeature = ReturnType<typeof createRoomFeature>;

export function wordsOf({ events: notified }: RoomFeature, { ref }: Subject): string[] {
  return notified
    .filter((entry) => entry.ref.kind === ref.kind && entry.ref.id === ref.id)
    .map(({ word }) => word);
}

/** The events of a conversation, in commit order. */
export async function conversationEvents(
  db: Db,
  { conversationId }: Subject,
): Promise<Omit<WebhookBody, "time">[]> {
  const rows = await rowsOf<{ body: string }>(
    db,
    "SELECT body FROM events WHERE key = ? ORDER BY id",
    [`conversation:${conversationId}`],
  );
  return rows.map(({ body }) => {
    const { time: _time, ...rest } = JSON.parse(body) as WebhookBody;
    return rest;
  });
}

export type SessionRow = {
  id: string;
  started_at: Date;
  met_at: Date | null;
  established_at: Date | null;
  ended_at: Date | null;
  end_reason: string | null;
  finished_at: Date | null;
  billing_seconds: number | null;
  both_seconds: number | null;
  participant_count: number | null;
};

export function sessionsOf(db: Db, { conversationId }: Subject): Promise<SessionRow[]> {
  return rowsOf<SessionRow>(
    db,
    `SELECT id, started_at, met_at, established_at, ended_at, end_reason, finished_at,
       billing_seconds, both_seconds, participant_count
     FROM sessions WHERE conversation_id = ? ORDER BY started_at, ended_at, id`,
    [conversationId],
  );
}

/** An enterprise with rooms for the surrounding `describe`, and a new feature for each test. */
export function useRooms(database: { readonly db: Db }) {
  let fixture: RoomFixture | undefined;
  let feature: RoomFeature | undefined;
  before("make an enterprise with rooms", async () => {
    fixture = await aRoomFixture(database.db);
  });
  beforeEach("make a feature", () => {
    feature = createRoomFeature(database.db);
  });
  afterEach("empty the rooms", async () => {
    await rowsOf(
      database.db,
      "UPDATE participations SET left_at = last_seen_at WHERE left_at IS NULL",
    );
  });
  const get = <T>(value: T | undefined): T => {
    if (value === undefined) {
      throw new Error("Rooms exist inside tests and hooks only");
    }
    return value;
  };
  const ticket = () => aRoomTicket(database.db, get(fixture), { agent: get(fixture).agent });
  return {
    get fixture() {
      return get(fixture);
    },
    /** A ticket, with the room tokens of agent and customer. */
    both: async () => {
      const subject = await ticket();
      const agent = aGuest(subject, "agent", { userId: get(fixture).agent.id });
      return { subject, agent, customer: aGuest(subject, "requestor") };
    },
    get feature() {
      return get(feature);
    },
    ticket,
    conference: () => aRoomConference(database.db, get(fixture), get(fixture).organizer),
    join: (guest: Guest) => get(feature).rooms.join({ guest, userAgent: null }),
    words: (subject: Subject) => wordsOf(get(feature), subject),
    sessions: (subject: Subject) => sessionsOf(database.db, subject),
    events: (subject: Subject) => conversationEvents(database.db, subject),
    /**
     * Advances the time while these guests are present: signalling reports their presence and
     * quality every 5 s.
     */
    pass: async (
      seconds: number,
      there: readonly Guest[],
      quality?: CallQuality,
    ): Promise<void> => {
      const { rooms, clock } = get(feature);
      for (let passed = 0; passed < seconds; passed += 5) {
        clock.advance(Math.min(5, seconds - passed) * 1_000);
        for (const guest of there) {
          const session = await rooms.findLatestSession(database.db, guest);
          const heartbeat = { ...guest, sessionId: session?.id ?? "" };
          await rooms.heartbeat([quality === undefined ? heartbeat : { ...heartbeat, quality }]);
        }
      }
    },
  };
}
