import { expect } from "chai";
import { historyOf } from "../../../../web/console/meetings/history.ts";

type HistoryInput = Parameters<typeof historyOf>[0];

function at(time: string): string {
  return `2026-11-21T${time}+00:00`;
}

function meeting(more: object = {}): HistoryInput["meeting"] {
  return {
    created: at("08:00:00"),
    modified: at("12:00:00"),
    created_by: { id: 1, name: "Ada" },
    status: "scheduled",
    ...more,
  } as HistoryInput["meeting"];
}

function invited(email: string, time: string | null): HistoryInput["participants"][number] {
  return {
    kind: "invited",
    email,
    phone: null,
    invited: time,
  } as HistoryInput["participants"][number];
}

function person(name: string, from: string, to: string | null) {
  return {
    ...{ name, role: "participant" as const, user_id: null },
    ...{ start_time: at(from), end_time: to === null ? null : at(to) },
  };
}

function session(id: string, from: string, more: object = {}): HistoryInput["sessions"][number] {
  return {
    ...{ id, start_time: at(from), end_time: null, end_reason: null, billing_duration: null },
    ...{ total_participant_count: 1, participants: [], ...more },
  };
}

function typesOf(known: Partial<HistoryInput>): string[] {
  return historyOf({ meeting: meeting(), participants: [], sessions: [], files: [], ...known }).map(
    ({ type }) => type,
  );
}

describe("the history of a meeting", () => {
  it("begins with its organizer", () => {
    expect(
      historyOf({ meeting: meeting(), participants: [], sessions: [], files: [] }),
    ).to.deep.equal([{ id: "created", at: at("08:00:00"), type: "created", name: "Ada" }]);
  });

  it("groups guests who were invited together, and omits those who were not", () => {
    const participants = [
      ...[invited("a@x.fr", at("08:00:01")), invited("b@x.fr", at("08:00:01"))],
      ...[invited("c@x.fr", at("09:00:00")), invited("d@x.fr", null)],
    ];
    const known = { meeting: meeting(), participants, sessions: [], files: [] };
    expect(historyOf(known).slice(1)).to.deep.equal([
      {
        ...{ id: `invited ${at("08:00:01")}`, at: at("08:00:01"), type: "invited" },
        names: ["a@x.fr", "b@x.fr"],
      },
      {
        ...{ id: `invited ${at("09:00:00")}`, at: at("09:00:00"), type: "invited" },
        names: ["c@x.fr"],
      },
    ]);
  });

  it("has sessions from start to end, in the order of events within a second", () => {
    const first = session("1", "10:00:00", {
      ...{ end_time: at("10:10:00"), end_reason: "empty" },
      participants: [
        person("Jane", "10:00:00", "10:10:00"),
        person("Paul", "10:05:00", "10:06:00"),
      ],
    });
    const second = session("2", "11:00:00", { participants: [person("Jane", "11:00:00", null)] });
    // Newest first, like the API.
    const sessions = [second, first];
    const known = { meeting: meeting(), participants: [], sessions, files: [] };
    const entries = historyOf(known).slice(1);
    expect(entries.map((event) => [event.type, "name" in event ? event.name : ""])).to.deep.equal([
      ...[
        ["began", ""],
        ["came", "Jane"],
        ["came", "Paul"],
        ["left", "Paul"],
        ["left", "Jane"],
      ],
      ...[
        ["over", ""],
        ["began", ""],
        ["came", "Jane"],
      ],
    ]);
    expect(entries[5]).to.deep.include({ ms: 600_000, reason: "empty" });
    expect(new Set(entries.map(({ id }) => id)).size).to.equal(entries.length);
  });

  it("ends with the final state of the meeting", () => {
    expect(typesOf({ meeting: meeting({ status: "ended" }) })).to.deep.equal(["created", "ended"]);
    expect(typesOf({ meeting: meeting({ status: "cancelled" }) })).to.deep.equal([
      ...["created", "cancelled"],
    ]);
    expect(typesOf({ meeting: meeting({ status: "ongoing" }) })).to.deep.equal(["created"]);
  });

  it("has files at the time they were added", () => {
    const files = [
      { id: 7, created: at("10:01:00"), owner: { id: 1, name: "Jane" }, title: "Plan" },
    ] as unknown as HistoryInput["files"];
    const sessions = [session("1", "10:00:00")];
    expect(typesOf({ sessions, files })).to.deep.equal(["created", "began", "file"]);
  });
});
