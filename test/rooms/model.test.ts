import { expect } from "chai";
import type { ParticipantRole } from "../../src/contracts/rooms.ts";
import { evaluateSession, type RoomAction } from "../../src/rooms/model.ts";

function at(seconds: number): Date {
  return new Date(Date.UTC(2026, 10, 20, 10) + seconds * 1_000);
}

/** A participation of `p<id>`; times in seconds after the session's start. */
function participation(
  id: number,
  joined: number,
  seen: number,
  role: ParticipantRole = "participant",
) {
  return {
    id,
    participant: `p${id}`,
    role,
    joinedAt: at(joined),
    lastSeenAt: at(seen),
  };
}

type ModelParticipation = ReturnType<typeof participation>;

function evaluate(
  now: number,
  present: ModelParticipation[],
  { emptySince, ask = { kind: "check" } }: { emptySince?: number; ask?: RoomAction } = {},
) {
  const verdict = evaluateSession({
    startedAt: at(0),
    emptySince: emptySince === undefined ? null : at(emptySince),
    present,
    now: at(now),
    action: ask,
  });
  return {
    leaves: verdict.leaves.map(({ participation: { id }, at: end }) => [
      id,
      (end.getTime() - at(0).getTime()) / 1_000,
    ]),
    emptySince:
      verdict.emptySince === null ? null : (verdict.emptySince.getTime() - at(0).getTime()) / 1_000,
    over: verdict.over,
  };
}

describe("the rules of a session", () => {
  it("keeps participants with a heartbeat less than 20 s ago", () => {
    expect(evaluate(119.999, [participation(1, 0, 100)])).to.deep.equal({
      leaves: [],
      emptySince: null,
      over: undefined,
    });
  });

  it("ends a participation without heartbeats for 20 s at its last heartbeat", () => {
    expect(evaluate(120, [participation(1, 0, 100), participation(2, 0, 110)])).to.deep.equal({
      leaves: [[1, 100]],
      emptySince: null,
      over: undefined,
    });
  });

  it("does not wait for an expert: without agent and customer, the room is empty", () => {
    const expert = participation(3, 0, 399, "expert");
    const both = [participation(1, 0, 100, "agent"), participation(2, 0, 100, "requestor")];
    expect(evaluate(399, [...both, expert])).to.deep.equal({
      leaves: [
        [1, 100],
        [2, 100],
      ],
      emptySince: 100,
      over: undefined,
    });
    expect(evaluate(400, [expert], { emptySince: 100 })).to.deep.equal({
      leaves: [[3, 400]],
      emptySince: 100,
      over: "empty",
    });
  });

  it("holds an empty room for 5 minutes after the last leave", () => {
    expect(
      evaluate(100, [participation(1, 0, 95)], { ask: { kind: "leave", participant: "p1" } }),
    ).to.deep.equal({ leaves: [[1, 100]], emptySince: 100, over: undefined });
    expect(evaluate(399.999, [], { emptySince: 100 }).over).to.equal(undefined);
    expect(evaluate(400, [], { emptySince: 100 }).over).to.equal("empty");
  });

  it("treats 60 s without any heartbeat as a crash", () => {
    expect(evaluate(160, [participation(1, 0, 90), participation(2, 0, 100)])).to.deep.equal({
      leaves: [
        [1, 90],
        [2, 100],
      ],
      emptySince: 100,
      over: undefined,
    });
    expect(evaluate(160.001, [participation(1, 0, 90), participation(2, 0, 100)]).over).to.equal(
      "crash",
    );
  });

  it("does not treat one missing heartbeat as a crash", () => {
    expect(evaluate(600, [participation(1, 0, 90), participation(2, 0, 590)])).to.deep.equal({
      leaves: [[1, 90]],
      emptySince: null,
      over: undefined,
    });
  });

  it("ends everything after 4 hours, however late the check", () => {
    const limit = 4 * 3_600;
    expect(evaluate(limit - 0.001, [participation(1, 0, limit - 5)]).over).to.equal(undefined);
    expect(evaluate(limit + 60, [participation(1, 0, limit + 55)])).to.deep.equal({
      leaves: [[1, limit]],
      emptySince: null,
      over: "limit",
    });
  });

  it("ends everything at once on request, in chronological order", () => {
    expect(
      evaluate(100, [participation(1, 0, 99), participation(2, 0, 70)], { ask: { kind: "end" } }),
    ).to.deep.equal({
      leaves: [
        [2, 70],
        [1, 100],
      ],
      emptySince: 100,
      over: "ended",
    });
  });

  it("is ended on request even after a long time without heartbeats", () => {
    expect(evaluate(500, [participation(1, 0, 99)], { ask: { kind: "end" } }).over).to.equal(
      "ended",
    );
  });

  it("never ends a participation before it began", () => {
    const late = participation(1, 4 * 3_600 + 1, 4 * 3_600 + 1);
    expect(evaluate(4 * 3_600 + 2, [late]).leaves).to.deep.equal([[1, 4 * 3_600 + 1]]);
  });
});
