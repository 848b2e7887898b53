import { expect } from "chai";
import fc from "fast-check";
import type { Guest } from "../../src/http/route.ts";
import { rowsOf, type Db } from "../../src/platform/db/pool.ts";
import { useDatabase } from "../support/database.ts";
import { fuzzRuns } from "../support/night.ts";
import { modelRow, modelSessions, type Mark, type Side } from "../support/room-model.ts";
import { aGuest, aRoomTicket, type RoomFixture, type Subject } from "../support/room-subjects.ts";
import {
  conversationEvents,
  createRoomFeature,
  sessionsOf,
  useRooms,
  wordsOf,
  type RoomFeature,
} from "../support/rooms.ts";

const epoch = Date.UTC(2026, 10, 20, 10);
/** Seconds between heartbeats. Production uses 5 s; 10 s is equivalent here and halves the work. */
const tick = 10;

const people = ["agent", "colleague", "customer"] as const;
type Who = (typeof people)[number];
function sideOf(who: Who): Side {
  return who === "customer" ? "requestor" : "agent";
}

type Step =
  | { what: "join" | "leave" | "silent" | "heard"; who: Who }
  | { what: "end" | "established" }
  /** Advances the clock; `down` skips heartbeats, sweeps and tasks. */
  | { what: "pass" | "down"; ticks: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constantFrom("join" as const, "join" as const, "leave", "silent", "heard"),
      who: fc.constantFrom(...people),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constantFrom("end" as const, "established") }) },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant("pass" as const),
      ticks: fc.integer({ min: 1, max: 6 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constantFrom("pass" as const, "down" as const),
      ticks: fc.constantFrom(2, 6, 7, 29, 30, 31),
    }),
  },
);

/** Runs the steps against the real implementation and records them for the model. */
function createPlay(db: Db, feature: RoomFeature, subject: Subject) {
  const { rooms, clock } = feature;
  const marks: Mark[] = [];
  const heard = new Map<Who, string>();
  const guests = Object.fromEntries(
    people.map((who) => [
      who,
      aGuest(subject, who === "customer" ? "requestor" : "agent", { participant: who }),
    ]),
  ) as Record<Who, Guest>;
  const at = (): number => (clock.now().getTime() - epoch) / 1_000;

  const heartbeatAll = async (): Promise<void> => {
    const beats = [...heard].map(([who, sessionId]) => ({ ...guests[who], sessionId }));
    const gone = await rooms.heartbeat(beats);
    heard.forEach((_session, who) =>
      marks.push({ at: at(), what: "beat", who, side: sideOf(who) }),
    );
    gone.forEach(({ participant }) => heard.delete(participant as Who));
  };

  const pass = async (ticks: number, isUp: boolean): Promise<void> => {
    for (let passed = 0; passed < ticks; passed += 1) {
      clock.advance(tick * 1_000);
      if (isUp) {
        await heartbeatAll();
        await rooms.sweep();
        await feature.runDueTasks();
        marks.push({ at: at(), what: "look" });
      }
    }
  };

  const join = async (who: Who): Promise<void> => {
    const joined = await rooms.join({ guest: guests[who], userAgent: null });
    heard.set(who, joined.outcome === "joined" ? joined.sessionId : "");
    marks.push({ at: at(), what: "join", who, side: sideOf(who) });
  };

  const act = async (input: Step): Promise<void> => {
    switch (input.what) {
      case "pass":
      case "down":
        return pass(input.ticks, input.what === "pass");
      case "join":
        return join(input.who);
      case "leave":
        heard.delete(input.who);
        marks.push({ at: at(), what: "leave", who: input.who, side: sideOf(input.who) });
        return void (await rooms.leave(guests[input.who]));
      case "silent":
        return void heard.delete(input.who);
      case "heard": {
        const latest = await rooms.findLatestSession(db, guests[input.who]);
        return void (latest && heard.set(input.who, latest.id));
      }
      case "end":
        marks.push({ at: at(), what: "end" });
        return void (await rooms.end(guests.agent));
      case "established":
        marks.push({ at: at(), what: "established" });
        return void (await rooms.established(guests.agent));
      default:
        return input satisfies never;
    }
  };
  return { act, marks, fallSilent: () => heard.clear() };
}

function secondsOf(date: Date | null): number | null {
  return date === null ? null : (date.getTime() - epoch) / 1_000;
}

async function written(db: Db, subject: Subject) {
  return (await sessionsOf(db, subject)).map((row) => ({
    from: secondsOf(row.started_at),
    metAt: secondsOf(row.met_at),
    establishedAt: secondsOf(row.established_at),
    cause: row.end_reason,
    finishedAt: secondsOf(row.finished_at),
    billing: row.billing_seconds,
    both: row.both_seconds,
    people: row.participant_count,
  }));
}

function count(words: readonly string[], start: string): number {
  return words.filter((word) => word.startsWith(start)).length;
}

describe("any sequence of joins, leaves, lost heartbeats and crashes", function () {
  this.timeout(60_000);
  const database = useDatabase();
  const rooms = useRooms(database);

  const play = async (fixture: RoomFixture, steps: readonly Step[]) => {
    const feature = createRoomFeature(database.db);
    const subject = await aRoomTicket(database.db, fixture);
    const { act, marks, fallSilent } = createPlay(database.db, feature, subject);
    for (const input of steps) {
      await act(input);
    }
    // Stops all heartbeats and runs past the empty-room limit.
    fallSilent();
    await act({ what: "pass", ticks: 33 });
    return { feature, subject, marks };
  };

  it("leads to the sessions of the model, each with one event", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        const { feature, subject, marks } = await play(rooms.fixture, steps);
        const expected = modelSessions(marks);
        // Without an order: sessions of the same instant have none.
        const rows = await written(database.db, subject);
        expect(rows).to.have.deep.members(expected.map(modelRow));

        const words = wordsOf(feature, subject);
        const participations = expected.flatMap((session) => session.participations);
        expect(count(words, "sessionStarted")).to.equal(expected.length);
        expect(count(words, "sessionEnded")).to.equal(expected.length);
        expect(count(words, "participantLeft")).to.equal(participations.length);
        expect(count(words, "bothPresent")).to.equal(
          expected.filter(({ metAt }) => metAt !== undefined).length,
        );
        expect(count(words, "established")).to.equal(
          expected.filter(({ establishedAt }) => establishedAt !== undefined).length,
        );

        const events = await conversationEvents(database.db, subject);
        expect(events.map(({ props }) => Date.parse(String(props["finishedAt"])))).to.deep.equal(
          expected.map((session) => epoch + modelRow(session).finishedAt * 1_000),
        );
        expect(feature.tasks.open.size).to.equal(0);
        expect(feature.errors).to.deep.equal([]);
      }),
      { numRuns: fuzzRuns(60) },
    );
  });

  it("leads to the same participations, whichever heartbeats were lost", async () => {
    const steps: Step[] = [
      { what: "join", who: "agent" },
      { what: "join", who: "customer" },
      { what: "established" },
      { what: "pass", ticks: 3 },
      { what: "silent", who: "customer" },
      { what: "pass", ticks: 5 },
      { what: "join", who: "customer" },
      { what: "down", ticks: 7 },
      { what: "join", who: "colleague" },
    ];
    const { subject, marks } = await play(rooms.fixture, steps);
    const rows = await rowsOf<{ participant: string; joined_at: Date; left_at: Date }>(
      database.db,
      `SELECT participant, joined_at, left_at FROM participations y JOIN sessions s ON s.id = y.session_id
       WHERE s.conversation_id = ? ORDER BY y.id`,
      [subject.conversationId],
    );
    const model = modelSessions(marks);
    expect(rows.map((row) => [row.participant, secondsOf(row.joined_at), secondsOf(row.left_at)]))
      .to.deep.equal(
        model.flatMap(({ participations }) =>
          participations.map(({ who, from, to }) => [who, from, to]),
        ),
      )
      .and.to.deep.equal([
        ["agent", 0, 80],
        ["customer", 0, 30],
        ["customer", 80, 80],
        ["colleague", 150, 150],
      ]);
    expect(model.map(({ cause }) => cause)).to.deep.equal(["crash", "empty"]);
  });
});
