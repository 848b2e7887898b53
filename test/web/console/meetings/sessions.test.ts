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

describe("the sessions of an open meeting page", () => {
  it("are the known ones, updated with the newest", () => {
    const merged = mergeNewest(sessions("gfedcba", 7, "g"), sessions("hgfed", 8, "h"));
    expect(idsOf(merged)).to.equal("hgfedcba");
    expect(merged?.total).to.equal(8);
    expect(merged?.data.filter(({ end_time: end }) => end === null)).to.have.lengthOf(1);
  });

  it("are only the newest if no others exist any more", () => {
    expect(idsOf(mergeNewest(sessions("cba", 3), sessions("dc", 2)))).to.equal("dc");
  });

  it("are all reloaded if some may have been missed, as after a night in the background", () => {
    expect(mergeNewest(sessions("gfedcba", 7), sessions("zyxwv", 40))).to.equal(undefined);
  });

  it("are all reloaded while an older one is running", () => {
    expect(mergeNewest(sessions("gfedcba", 7, "a"), sessions("gfedc", 7))).to.equal(undefined);
  });

  it("are at most as many as the page shows", () => {
    const known = { total: 300, data: Array.from({ length: 100 }, (_, at) => session(`${at}`)) };
    const newest = { total: 301, data: [session("new"), ...known.data.slice(0, 4)] };
    expect(mergeNewest(known, newest)?.data.map(({ id }) => id)).to.deep.equal([
      ...["new", ...Array.from({ length: 99 }, (_, at) => `${at}`)],
    ]);
  });
});

describe("the polling of a meeting", () => {
  it("is frequent while it is open, and rare after its end", () => {
    expect(everyMs(undefined)).to.be.at.most(10_000);
    expect(everyMs({ status: "ongoing" })).to.be.at.most(10_000);
    expect(everyMs({ status: "cancelled" })).to.be.at.least(60_000);
    expect(sessionsEveryMs({ status: "scheduled" }, sessions("a", 1))).to.be.at.most(3_000);
    expect(sessionsEveryMs({ status: "ended" }, sessions("a", 1))).to.be.at.least(60_000);
    expect(sessionsEveryMs({ status: "cancelled" }, sessions("", 0))).to.be.at.least(60_000);
  });

  it("is frequent until the last session of a closed meeting has ended", () => {
    expect(sessionsEveryMs({ status: "ended" }, sessions("ba", 2, "b"))).to.be.at.most(3_000);
    expect(sessionsEveryMs({ status: "ended" }, undefined)).to.be.at.most(3_000);
  });
});
