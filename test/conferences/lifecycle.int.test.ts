import { expect } from "chai";
import {
  dueOf,
  fire,
  forceStatus,
  messagesAbout,
  useConferenceApi,
} from "../support/conferences.ts";
import { useDatabase } from "../support/database.ts";

const start = "2026-12-01T10:00:00Z";

describe("the timers of a conference", () => {
  const database = useDatabase();
  const api = useConferenceApi(database);

  const create = async (json: Record<string, unknown> = {}) => {
    const as = api.fixture.organizer;
    const { body } = await api.call("POST /conferences", {
      as,
      json: { participants: "a@b.test", startTime: start, reminder: 15, ...json },
    });
    return { id: Number(body.id), enterpriseId: api.fixture.enterpriseId };
  };
  const change = (id: number, json: Record<string, unknown>) =>
    api.call(`PATCH /conferences/${id}`, { as: api.fixture.organizer, json });
  const due = async (kind: string, id: number) =>
    (await dueOf(database.db, kind, id))?.toISOString();
  const statusOf = async (id: number) =>
    (await api.call(`GET /conferences/${id}`, { as: api.fixture.organizer })).body.status;

  it("follow the start time, and are cancelled with the conference", async () => {
    const { id } = await create();
    expect(await due("conference.reminder", id)).to.equal("2026-12-01T09:45:00.000Z");
    expect(await due("conference.end", id)).to.equal("2026-12-02T11:00:00.000Z");
    await change(id, { startTime: "2026-12-03T10:00:00Z" });
    expect(await due("conference.reminder", id)).to.equal("2026-12-03T09:45:00.000Z");
    expect(await due("conference.end", id)).to.equal("2026-12-04T11:00:00.000Z");
    await change(id, { open: true, reminder: 0 });
    expect(await due("conference.reminder", id)).to.equal(undefined);
    expect(await due("conference.end", id)).to.equal(undefined);
    await change(id, { open: false });
    await api.call(`DELETE /conferences/${id}`, { as: api.fixture.organizer });
    expect(await due("conference.end", id)).to.equal(undefined);
  });

  it("remind invited guests once, even if the task runs again", async () => {
    const conference = await create({ invite: true });
    const silent = await create();
    api.features.clock.set(new Date("2026-12-01T09:30:00Z"));
    expect((await fire(api.features, "conference.reminder", conference)).kind).to.equal("again");
    api.features.clock.set(new Date("2026-12-01T09:45:00Z"));
    for (const one of [conference, conference, silent]) {
      expect(await fire(api.features, "conference.reminder", one)).to.deep.equal({ kind: "done" });
    }
    expect(await messagesAbout(database.db, conference.id)).to.deep.equal(["a@b.test", "a@b.test"]);
    expect(await messagesAbout(database.db, silent.id)).to.deep.equal([]);
  });

  it("end an empty conference one day after its planned end, and not before", async () => {
    const conference = await create();
    const busy = await create();
    await forceStatus(database.db, busy.id, "ongoing");
    api.features.clock.set(new Date("2026-12-02T10:59:59Z"));
    expect(await fire(api.features, "conference.end", conference)).to.deep.equal({
      kind: "again",
      dueAt: new Date("2026-12-02T11:00:00Z"),
      reason: "moved",
    });
    api.features.clock.set(new Date("2026-12-02T11:00:00Z"));
    await fire(api.features, "conference.end", conference);
    await fire(api.features, "conference.end", busy);
    expect(await statusOf(conference.id)).to.equal("ended");
    expect(await statusOf(busy.id)).to.equal("ongoing");
  });
});
