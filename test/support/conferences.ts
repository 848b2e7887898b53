import type { RoomSubject } from "../../src/contracts/rooms.ts";
import {
  findServiceForConferences,
  findUser,
  findUserByExternalId,
  findUserByLogin,
} from "../../src/accounts/directory-store.ts";
import {
  createExternalConferences,
  createConferenceLinks,
  createConferences,
} from "../../src/conferences/service.ts";
import { createPasswordGuard } from "../../src/conferences/credentials.ts";
import type { ConferenceDeps } from "../../src/conferences/model.ts";
import { createConferenceRoom, createConferenceTasks } from "../../src/conferences/lifecycle.ts";
import {
  conferenceGuestRoutes,
  conferenceRoomRoutes,
  sipRoutes,
} from "../../src/conferences/room-routes.ts";
import { conferenceRoutes } from "../../src/conferences/routes.ts";
import { createConversations } from "../../src/conversations/store.ts";
import { createIdempotency } from "../../src/http/idempotency.ts";
import { createLimits, type LimitRules } from "../../src/http/limits.ts";
import type { AnyRoute } from "../../src/http/route.ts";
import { createInvitations } from "../../src/messages/invitations.ts";
import { createMessageQueue } from "../../src/messages/outgoing.ts";
import { createOutbox } from "../../src/pipeline/outbox/append.ts";
import { rowsOf, type Db, type Trx } from "../../src/platform/db/pool.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { createTasks, type TaskOutcome } from "../../src/platform/tasks/task.ts";
import { createRooms } from "../../src/rooms/service.ts";
import { memoryRateStores, startApi, testBaseUrl, testRoomTokens } from "./api.ts";
import { createTestClock } from "./clock.ts";
import { anEnterprise, aService } from "./factories.ts";
import { testBox } from "./secret-box.ts";
import {
  aTestUser,
  authenticateByLogin,
  callWith,
  type TestAnswer,
  type TestCall,
} from "./tickets.ts";

const noTickets = new Proxy({} as RoomSubject<Trx>, {
  get: () => {
    throw new Error("There are no tickets here");
  },
});

/** The conference feature on a test's database, wired as in production, with a stopped clock. */
export function createConferenceFeatures(db: Db, changed: Partial<ConferenceDeps> = {}) {
  const clock = createTestClock();
  const wake = (): void => undefined;
  const outbox = createOutbox({ ids: randomIds, clock, wake, faultPoint: wake, maxBytes: 262_144 });
  const tasks = createTasks({ clock, wake });
  const mailFrom = "Sightline <no-reply@sightline.example>";
  const queue = createMessageQueue({ ids: randomIds, outbox, tasks, mailFrom });
  const room: RoomSubject<Trx> = createConferenceRoom({ clock, tasks });
  const rooms = createRooms({
    db,
    clock,
    ids: randomIds,
    tasks,
    outbox,
    maxParticipants: async () => 1_000,
    log: { error: wake },
    subjects: { ticket: noTickets, conference: room },
    hasConsent: async () => true,
  });
  const deps: ConferenceDeps = {
    db,
    clock,
    ids: randomIds,
    directory: { findUser, findUserByLogin, findServiceForConferences },
    conversations: createConversations({ ids: randomIds }),
    invitations: createInvitations({ queue, tasks, mailFrom, baseUrl: testBaseUrl }),
    roomTokens: testRoomTokens,
    tasks,
    endRoom: rooms.endRoom,
    wakeRoom: wake,
    secretBox: testBox,
    baseUrl: testBaseUrl,
    ...changed,
  };
  return {
    clock,
    deps,
    rooms,
    room,
    conferences: createConferences(deps),
    handlers: createConferenceTasks(deps),
    external: createExternalConferences(deps),
    links: createConferenceLinks(deps),
    directory: { findUserByLogin, findUserByExternalId },
  };
}

export type ConferenceFeatures = ReturnType<typeof createConferenceFeatures>;

const generous = 1_000_000;
const rules: LimitRules = {
  apiPerMinute: generous,
  eventsPerMinute: generous,
  tokenPerLogin: generous,
  tokenPerIp: generous,
  guestPerIp: generous,
  smsPerMinute: generous,
};

function conferenceApiRoutes({ conferences }: ConferenceFeatures): AnyRoute[] {
  const { badLogin, sip: limiter } = createLimits(rules, memoryRateStores);
  const passwords = createPasswordGuard(badLogin);
  return [
    ...conferenceRoutes({ conferences, baseUrl: testBaseUrl }),
    ...conferenceRoomRoutes({ conferences, passwords }),
    ...conferenceGuestRoutes({ conferences, passwords }),
    ...sipRoutes({ conferences, limiter, baseUrl: testBaseUrl }),
  ];
}

/** An enterprise that can have conferences: a service, an organizer, and other users. */
export async function aConferenceFixture(db: Db) {
  const { id: enterpriseId } = await anEnterprise(db, { sip_phone_number: "+33155000000" });
  const service = await aService(db, { enterprise_id: enterpriseId, kind: "conference" });
  const person = { firstname: "Ada", lastname: "Organizer" };
  const organizer = await aTestUser(db, enterpriseId, "agent", { person });
  const moderator = await aTestUser(db, enterpriseId, "agent", {
    person: { firstname: "Max", lastname: "Moderator", external_id: `dr-${organizer.id}` },
  });
  return {
    enterpriseId,
    service,
    organizer,
    moderator,
    stranger: await aTestUser(db, enterpriseId, "agent"),
    admin: await aTestUser(db, enterpriseId, "admin"),
    api: await aTestUser(db, enterpriseId, "integration"),
  };
}

export type ConferenceFixture = Awaited<ReturnType<typeof aConferenceFixture>>;

/** Sets a status that only a room or a timer causes. */
export async function forceStatus(db: Db, id: number, status: string): Promise<void> {
  await rowsOf(db, "UPDATE conferences SET status = ? WHERE id = ?", [status, id]);
}

/**
 * The recipients of messages about a conference, and whether each one was a cancellation, in order.
 */
export async function messagesAbout(db: Db, conferenceId: number): Promise<string[]> {
  const rows = await rowsOf<{ recipient: string; calendar: string | null }>(
    db,
    "SELECT recipient, calendar FROM messages WHERE conference_id = ? ORDER BY id",
    [conferenceId],
  );
  return rows.map(({ recipient, calendar }) =>
    calendar?.includes("METHOD:CANCEL") === true ? `${recipient} cancelled` : recipient,
  );
}

/** The due time of the open task of a conference. */
export async function dueOf(db: Db, kind: string, id: number): Promise<Date | undefined> {
  const [task] = await rowsOf<{ due_at: Date }>(
    db,
    `SELECT due_at FROM tasks WHERE kind = ? AND key = ?
       AND state IN ('waiting', 'queued', 'running')`,
    [kind, `conference:${id}`],
  );
  return task?.due_at;
}

/** Runs a timer of a conference, like a worker that has leased its task. */
export async function fire(
  { handlers }: Pick<ConferenceFeatures, "handlers">,
  kind: "conference.end" | "conference.reminder",
  conference: { id: number; enterpriseId: number },
): Promise<TaskOutcome> {
  const handler = handlers[kind];
  if (handler === undefined) {
    throw new Error(`Nobody handles ${kind}`);
  }
  const { id, enterpriseId } = conference;
  const data = { conferenceId: id };
  const task = { id: 1, kind, key: `conference:${id}`, enterpriseId, data, attempt: 1 };
  return handler({ ...task, generation: 1 }, new AbortController().signal);
}

/**
 * The conference feature of the surrounding `describe` over HTTP, with additional operations if
 * needed.
 */
export function useConferenceApi(
  database: { readonly db: Db },
  moreRoutes: (features: ConferenceFeatures) => readonly AnyRoute[] = () => [],
) {
  let made:
    | {
        features: ConferenceFeatures;
        url: string;
        fixture: ConferenceFixture;
        close(): Promise<void>;
      }
    | undefined;
  before("serve the conference operations", async () => {
    const features = createConferenceFeatures(database.db);
    const server = await startApi({
      routes: [...conferenceApiRoutes(features), ...moreRoutes(features)],
      authenticate: authenticateByLogin(database.db),
      idempotency: createIdempotency(database.db, testBox),
    });
    const fixture = await aConferenceFixture(database.db);
    made = { features, url: server.url, fixture, close: () => server.close() };
  });
  after("stop serving", async () => {
    await made?.close();
  });
  const get = (): NonNullable<typeof made> => {
    if (made === undefined) {
      throw new Error("The API exists inside tests and hooks only");
    }
    return made;
  };
  return {
    call: (operation: string, input?: TestCall): Promise<TestAnswer> =>
      callWith(get().url, operation, input),
    get url() {
      return get().url;
    },
    get features() {
      return get().features;
    },
    get fixture() {
      return get().fixture;
    },
  };
}

export type ConferenceApi = ReturnType<typeof useConferenceApi>;
