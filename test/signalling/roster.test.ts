import { expect } from "chai";
import { createRoster } from "../../src/signalling/roster.ts";

describe("the roster", () => {
  it("emits who came and left between two polls, and nothing at a key's first poll", async () => {
    const rows = new Map<number, Map<string, string>>();
    const places = [1];
    const events: unknown[] = [];
    const roster = createRoster<string>({
      watchedKeys: () => places,
      read: async (wanted) => new Map(wanted.map((place) => [place, new Map(rows.get(place))])),
      onChange: async (place, change) => void events.push([place, change]),
      ...{ nowMs: () => 0, maxPollGapMs: 15, graceMs: 20 },
    });
    rows.set(1, new Map([["a", "Ann"]]));
    await roster.poll();
    expect(events).to.deep.equal([]);
    expect([...roster.presentIn(1).values()]).to.deep.equal(["Ann"]);
    rows.set(1, new Map([["b", "Bob"]]));
    rows.set(2, new Map([["c", "Cem"]]));
    places.push(2);
    await roster.poll();
    expect(events).to.deep.equal([[1, { came: ["Bob"], left: ["Ann"], changed: [] }]]);
    rows.delete(2);
    await roster.poll();
    expect(events[1]).to.deep.equal([2, { came: [], left: ["Cem"], changed: [] }]);
    places.splice(0);
    await roster.poll();
    expect(roster.presentIn(1).size).to.equal(0);
  });

  it("emits no leaves after a gap between polls, for the grace period", async () => {
    let nowMs = 0;
    let rows = new Map([["a", "Ann"]]);
    const notified: unknown[] = [];
    const roster = createRoster<string>({
      watchedKeys: () => [1],
      read: async () => new Map([[1, rows]]),
      onChange: async (_place, change) => void notified.push(change),
      ...{ nowMs: () => nowMs, maxPollGapMs: 15, graceMs: 20 },
    });
    await roster.poll();
    nowMs = 16;
    rows = new Map([["b", "Bob"]]);
    await roster.poll();
    expect(notified, "Ann may not have been heard").to.deep.equal([
      { came: ["Bob"], left: [], changed: [] },
    ]);
    expect([...roster.presentIn(1).keys()]).to.deep.equal(["a", "b"]);
    nowMs = 30;
    rows.set("a", "Ann");
    await roster.poll();
    expect(notified).to.have.length(1);
    rows = new Map([["a", "Ann"]]);
    nowMs = 35;
    await roster.poll();
    expect(notified).to.have.length(1);
    nowMs = 36;
    await roster.poll();
    expect(notified[1]).to.deep.equal({ came: [], left: ["Bob"], changed: [] });
  });

  it("reads a single key, and leaves the others unchanged", async () => {
    const rows = new Map([
      [1, new Map([["a", "Ann"]])],
      [2, new Map([["b", "Bob"]])],
    ]);
    const asked: (readonly number[])[] = [];
    const events: unknown[] = [];
    const roster = createRoster<string>({
      watchedKeys: () => [1, 2],
      read: async (wanted) => {
        asked.push(wanted);
        return new Map(wanted.map((key) => [key, new Map(rows.get(key))]));
      },
      onChange: async (key, { came }) => void events.push([key, came]),
      ...{ nowMs: () => 0, maxPollGapMs: 15, graceMs: 20 },
    });
    await roster.poll();
    rows.get(1)?.set("c", "Cem");
    rows.get(2)?.set("d", "Dan");
    await roster.pollKey(1);
    expect(asked).to.deep.equal([[1, 2], [1]]);
    expect(events).to.deep.equal([[1, ["Cem"]]]);
    expect([...roster.presentIn(2).values()]).to.deep.equal(["Bob"]);
    await Promise.all([roster.pollKey(1), roster.pollKey(2)]);
    expect(events[1]).to.deep.equal([2, ["Dan"]]);
  });

  it("emits no leaves at the first poll of one key after a gap", async () => {
    let nowMs = 0;
    let rows = new Map([["a", "Ann"]]);
    const events: unknown[] = [];
    const roster = createRoster<string>({
      watchedKeys: () => [1],
      read: async () => new Map([[1, rows]]),
      onChange: async (_key, change) => void events.push(change),
      ...{ nowMs: () => nowMs, maxPollGapMs: 15, graceMs: 20 },
    });
    await roster.poll();
    nowMs = 16;
    rows = new Map();
    await roster.pollKey(1);
    expect(events).to.deep.equal([]);
  });
});
