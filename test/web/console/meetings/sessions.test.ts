import { expect } from "chai";
import {
  everyMs,
  sessionsEveryMs,
  mergeNewest,
  type Sessions,
} from "../../../../web/console/meetings/sessions.ts";
import type { MeetingSession } from "../../../../web/console/meetings/types.ts";

function session(id: string, isOpen = false): MeetingSession {
  return { id, end_time: isOpen ? null : "2026-11-22T10:00:00Z" } as MeetingSession;
}

function sessions(ids: string, total: number, open = ""): Sessions {
  return {
    total,
    data: [...ids].map((id) => session(id, id === open)),
  };
}

function idsOf(merged: Sessions | undefined): string | undefined {
  return merged?.data.map(({ id }) => id).join("");
}

describe("the sessions of a meeting that is looked at", () => {
  it("are the known ones, with the newest as they are now", () => {
    const merged = mergeNewest(sessions("gfedcba", 7, "g"), sessions("hgfed", 8, "h"));
    expect(idsOf(merged)).to.equal("hgfedcba");
    expect(merged?.total).to.equal(8);
    expect(merged?.data.filter(({ end_time: end }) => end === null)).to.have.lengthOf(1);
  });

  it("are the newest alone where there are no others any more", () => {
    expect(idsOf(mergeNewest(sessions("cba", 3), sessions("dc", 2)))).to.equal("dc");
  });

  it("are all asked for where some may have begun in between, as after a night in the background", () => {
    expect(mergeNewest(sessions("gfedcba", 7), sessions("zyxwv", 40))).to.equal(undefined);
  });

  it("are all asked for as long as one goes on that is not among the newest", () => {
    expect(mergeNewest(sessions("gfedcba", 7, "a"), sessions("gfedc", 7))).to.equal(undefined);
  });

  it("are no more than are shown, however long the room stays open", () => {
    const known = { total: 300, data: Array.from({ length: 100 }, (_, at) => session(`${at}`)) };
    const newest = { total: 301, data: [session("new"), ...known.data.slice(0, 4)] };
    expect(mergeNewest(known, newest)?.data.map(({ id }) => id)).to.deep.equal([
      ...["new", ...Array.from({ length: 99 }, (_, at) => `${at}`)],
    ]);
  });
});

describe("how often a meeting is asked about", () => {
  it("is often while people may come and go, and seldom once it is over", () => {
    expect(everyMs(undefined)).to.be.at.most(10_000);
    expect(everyMs({ status: "ongoing" })).to.be.at.most(10_000);
    expect(everyMs({ status: "cancelled" })).to.be.at.least(60_000);
    expect(sessionsEveryMs({ status: "scheduled" }, sessions("a", 1))).to.be.at.most(3_000);
    expect(sessionsEveryMs({ status: "ended" }, sessions("a", 1))).to.be.at.least(60_000);
    expect(sessionsEveryMs({ status: "cancelled" }, sessions("", 0))).to.be.at.least(60_000);
  });

  it("stays often until the last session of a meeting that is over was seen to end", () => {
    expect(sessionsEveryMs({ status: "ended" }, sessions("ba", 2, "b"))).to.be.at.most(3_000);
    expect(sessionsEveryMs({ status: "ended" }, undefined)).to.be.at.most(3_000);
  });
});
