import { expect } from "chai";
import { compileFilters } from "../../../src/contracts/filters.ts";
import { compileConditions } from "../../../src/pipeline/ledger/conditions.ts";
import {
  findCandidate,
  revisionAt,
  matchEvent,
  lazyContent,
  wasChanging,
  type MatchableEvent,
  type Revision,
} from "../../../src/pipeline/ledger/match-event.ts";

const start = Date.UTC(2026, 10, 20, 12);
function at(seconds: number): Date {
  return new Date(start + seconds * 1_000);
}

function aRevision(seconds: number, more: Partial<Revision> = {}): Revision {
  const { filters = ["*"], conditions = null } = more;
  return {
    revision: seconds,
    subscriptionId: 7,
    enterpriseId: 1,
    validFrom: at(seconds),
    isActive: true,
    isOrdered: false,
    isDeleted: false,
    mode: "push",
    reason: null,
    changedBy: null,
    ...more,
    filters,
    conditions,
    passesFilters: compileFilters(filters),
    passesConditions: conditions === null ? null : compileConditions(conditions),
  };
}

function anEvent(seconds: number, more: Partial<MatchableEvent> = {}): MatchableEvent {
  return {
    object: "ticket",
    event: "create",
    occurredAt: at(seconds),
    key: "ticket:1",
    ...more,
  };
}

const content = lazyContent('{"props":{"state":"new"}}');
const done = '{"props.state":"done"}';
function verdictOf(revisions: Revision[], event: MatchableEvent, of = content): string {
  return matchEvent(revisions, event, of).verdict;
}

describe("revisions", () => {
  it("are in force from their time until the next one's", () => {
    const revisions = [aRevision(0), aRevision(10), aRevision(20)];
    const numberAt = (seconds: number) => revisionAt(revisions, at(seconds))?.revision;
    expect([-1, 0, 9.999, 10, 19, 20, 900].map(numberAt)).to.deep.equal([
      undefined,
      0,
      0,
      10,
      10,
      20,
      20,
    ]);
  });

  it("match an event with the one in force when it occurred", () => {
    const revisions = [
      aRevision(0, { isActive: false }),
      aRevision(10, { filters: ["media.*"] }),
      aRevision(20, { filters: ["ticket.*"], conditions: done }),
      aRevision(30),
      aRevision(40, { isActive: false }),
      aRevision(50),
    ];
    const verdicts = [-1, 0, 10, 20, 30, 40, 50].map((one) => verdictOf(revisions, anEvent(one)));
    expect(verdicts).to.deep.equal([
      "created_later",
      "off",
      "filters",
      "conditions",
      "matches",
      "off",
      "matches",
    ]);
    const both = { inForce: revisions[3], newest: revisions[5] };
    expect(matchEvent(revisions, anEvent(30), content)).to.deep.equal({
      verdict: "matches",
      ...both,
    });
  });

  it("never match a deleted subscription, whenever it was deleted", () => {
    const revisions = [aRevision(0), aRevision(10, { isActive: false, isDeleted: true })];
    expect(verdictOf(revisions, anEvent(5))).to.equal("deleted");
    expect(verdictOf(revisions, anEvent(15))).to.equal("deleted");
    expect(verdictOf([aRevision(0, { filters: [] }), ...revisions.slice(1)], anEvent(5))).to.equal(
      "filters",
    );
  });

  it("never match an event about the subscription itself", () => {
    const revisions = [aRevision(0, { filters: ["delivery.*", "ticket.*"] })];
    const dead = { object: "delivery", event: "dead" } as const;
    expect(verdictOf(revisions, anEvent(1, { ...dead, key: "subscription:7" }))).to.equal("own");
    expect(verdictOf(revisions, anEvent(1, { ...dead, key: "subscription:70" }))).to.equal(
      "matches",
    );
    expect(verdictOf(revisions, anEvent(1, { key: "subscription:7" }))).to.equal("matches");
  });

  it("report an unknown result if the content for conditions was removed", () => {
    const revisions = [aRevision(0, { conditions: done })];
    expect(verdictOf(revisions, anEvent(1), lazyContent(""))).to.equal("undetermined");
    expect(verdictOf(revisions, anEvent(1), lazyContent(null))).to.equal("undetermined");
    expect(verdictOf([aRevision(0)], anEvent(1), lazyContent(""))).to.equal("matches");
    expect(verdictOf(revisions, anEvent(1), lazyContent("no json"))).to.equal("matches");
  });

  it("are candidates exactly if only the conditions are left to evaluate", () => {
    const revisions = [
      aRevision(0, { isActive: false }),
      aRevision(10, { filters: ["media.*"] }),
      aRevision(20, { conditions: done }),
    ];
    const found = [-1, 0, 10, 20].map((one) => findCandidate(revisions, anEvent(one)));
    expect(found.map((one) => one?.inForce.revision)).to.deep.equal([
      undefined,
      undefined,
      undefined,
      20,
    ]);
  });

  it("distinguish a concurrent change from an earlier one", () => {
    const changed = [aRevision(0, { filters: ["media.*"] }), aRevision(100)];
    const isUnsure = (revisions: Revision[], seconds: number) =>
      wasChanging(revisions, anEvent(seconds), content);
    expect(isUnsure(changed, 101)).to.equal(true);
    expect(isUnsure(changed, 106)).to.equal(false);
    expect(isUnsure([aRevision(0), aRevision(100)], 101)).to.equal(false);
    expect(isUnsure([aRevision(100)], 101)).to.equal(true);
    expect(isUnsure([aRevision(100)], 106)).to.equal(false);
    expect(isUnsure([aRevision(0), aRevision(100, { conditions: null })], 101)).to.equal(false);
    expect(isUnsure([aRevision(0, { conditions: done }), aRevision(100)], 101)).to.equal(true);
    expect(
      isUnsure([aRevision(0), aRevision(99, { isActive: false }), aRevision(100)], 101),
    ).to.equal(true);
  });

  it("parse a body once, and only on demand", () => {
    const opened = lazyContent('{"a":1}');
    expect(opened.payload()).to.equal(opened.payload());
    expect(lazyContent("{").payload()).to.equal(undefined);
  });
});
