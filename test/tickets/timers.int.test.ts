import { expect } from "chai";
import type { TaskKind } from "../../src/contracts/jobs.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import type { TaskOutcome } from "../../src/platform/tasks/task.ts";
import { modifiedColumns } from "../../src/tickets/store.ts";
import { planExpiry } from "../../src/tickets/timers.ts";
import { useActing } from "../support/acting.ts";
import { useDatabase } from "../support/database.ts";
import { inWords, eventsAbout } from "../support/tickets.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
const signal = new AbortController().signal;

describe("ticket timers", () => {
  const database = useDatabase();
  const harness = useActing(database);

  const tasksOf = (kind: TaskKind, id: number) =>
    rowsOf<{ id: number; state: string; due_at: Date; data: Record<string, unknown> }>(
      database.db,
      "SELECT id, state, due_at, data FROM tasks WHERE kind = ? AND key LIKE ? ORDER BY id",
      [kind, kind === "invitation.notClicked" ? "invitation:%" : `ticket:${id}`],
    );

  /** Runs the task like its worker, with the data of the row. */
  const run = async (
    kind: TaskKind,
    id: number,
    data: Record<string, unknown> = {},
  ): Promise<TaskOutcome> => {
    const { handlers, fixture } = {
      handlers: harness.api.features.timers,
      fixture: harness.fixture,
    };
    const handler = handlers[kind];
    if (handler === undefined) {
      throw new Error(`Nobody handles ${kind}`);
    }
    const task = { id: 1, kind, key: `ticket:${id}`, enterpriseId: fixture.enterpriseId, data };
    return handler({ ...task, attempt: 1, generation: 1 }, signal);
  };

  const plan = () => planExpiry(harness.api.features.deps);
  const advance = (ms: number) => harness.api.features.clock.advance(ms);

  /** Sets the state of the ticket like a regular write, including its due time. */
  const inState = async (state: string, agesInMs: number): Promise<number> => {
    const id = await harness.create();
    const { clock } = harness.api.features;
    await database
      .db("tickets")
      .where({ id })
      .update({ state, ages_at: new Date(clock.now().getTime() + agesInMs) });
    return id;
  };

  const moves: [string, number, string, string][] = [
    ["new", 30 * day, "expired", "ticket.invitationExpired"],
    ["open", 30 * day, "expired", "ticket.invitationExpired"],
    ["opened", 30 * day, "expired", "ticket.invitationExpired"],
    ["updated", 30 * day, "expired", "ticket.invitationExpired"],
    ["invited", day, "expired", "ticket.invitationExpired"],
    ["done", 7 * day, "closed", "ticket.closed"],
    ["rejected", 30 * day, "closed", "ticket.closed"],
    ["declined", 30 * day, "closed", "ticket.closed"],
    ["expired", 30 * day, "closed", "ticket.closed"],
  ];
  for (const [from, after, to, eventType] of moves) {
    it(`move a ticket from ${from} to ${to} after exactly ${after / day} days, once`, async () => {
      const id = await inState(from, after);
      advance(after - 1);
      expect(await run("ticket.age", id)).to.deep.equal({ kind: "done" });
      expect(await harness.eventsSince(id)).to.deep.equal([]);
      advance(1);
      await plan();
      expect(await tasksOf("ticket.age", id)).to.have.length(1);
      await Promise.all([run("ticket.age", id), run("ticket.age", id)]);
      await run("ticket.age", id);
      const notified = await harness.eventsSince(id);
      expect(inWords(notified)).to.deep.equal([eventType, `ticket update ${to}`]);
      const { body } = await harness.api.call(`GET /tickets/${id}/events`, {
        as: harness.fixture.admin,
      });
      expect(body.at(-1)).to.include({ eventType, source: "system" });
      if (to === "closed") {
        expect(body.at(-1).agent).to.deep.equal(harness.fixture.person);
      }
    });
  }

  it("ignore tickets that are in progress, closed or deleted", async () => {
    const ids = [
      await inState("inprogress", -1),
      await inState("closed", -1),
      await inState("new", -1),
    ];
    await harness.api.call(`DELETE /tickets/${ids[2]}`, { as: harness.fixture.admin });
    for (const id of ids) {
      const before = (await eventsAbout(database.db, id)).length;
      expect(await run("ticket.age", id)).to.deep.equal({ kind: "done" });
      expect(await eventsAbout(database.db, id)).to.have.length(before);
    }
    await plan();
    expect(await tasksOf("ticket.age", ids[2] ?? 0)).to.deep.equal([]);
  });

  it("follow every change: an old timer does nothing after a change", async () => {
    const id = await harness.create({ invite: 1 });
    advance(23 * 60 * minute);
    const json = {};
    await harness.api.call(`POST /tickets/${id}/invitations`, { as: harness.fixture.agent, json });
    advance(2 * 60 * minute);
    await run("ticket.age", id);
    expect((await harness.read(id)).body.state).to.equal("invited");
    advance(day);
    await run("ticket.age", id);
    expect((await harness.read(id)).body.state).to.equal("expired");
  });

  it("are planned once by concurrent passes, and again when the task is lost", async () => {
    const id = await harness.create({ invite: 1 });
    advance(day);
    await Promise.all([plan(), plan(), plan()]);
    await plan();
    const [task, ...more] = await tasksOf("ticket.age", id);
    expect(more).to.deep.equal([]);
    expect(task?.state).to.equal("waiting");
    // A task that failed permanently ends, but the ticket is still due.
    await database
      .db("tasks")
      .where({ id: task?.id })
      .update({ state: "failed", ended_at: new Date() });
    await plan();
    expect((await tasksOf("ticket.age", id)).map(({ state }) => state)).to.deep.equal([
      "failed",
      "waiting",
    ]);
    await run("ticket.age", id);
    await database
      .db("tasks")
      .where({ key: `ticket:${id}`, state: "waiting" })
      .del();
    await plan();
    expect(await tasksOf("ticket.age", id)).to.have.length(1);
  });

  it("correct a due time of an older rule", async () => {
    const id = await inState("new", -1);
    await run("ticket.age", id);
    const [row] = await database.db("tickets").where({ id }).select("ages_at", "created_at");
    expect(row?.ages_at.getTime() - row?.created_at.getTime()).to.equal(30 * day);
    expect(await harness.eventsSince(id)).to.deep.equal([]);
  });

  it("correct a due time that a change put off, when it is reached", async () => {
    const id = await harness.create();
    const read = () => database.db("tickets").where({ id }).first("state", "ages_at");
    const first = await read();
    advance(2 * day);
    await harness.patch(id, { subject: "Later" });
    const ages_at = new Date(harness.api.features.clock.now().getTime() + 30 * day);
    expect(await read(), "no index entry").to.deep.equal(first);
    advance(28 * day);
    await plan();
    expect(await tasksOf("ticket.age", id)).to.have.length(1);
    await run("ticket.age", id);
    expect(await read()).to.deep.equal({ state: "new", ages_at });
  });

  it("end the agent's link with the ticket", async () => {
    const id = await harness.create({ scope: "sso" });
    await database
      .db("tickets")
      .where({ id })
      .update({ state: "expired", ages_at: new Date(0), ...modifiedColumns(new Date(0)) });
    await run("ticket.age", id);
    expect(
      await rowsOf(database.db, "SELECT 1 FROM tokens WHERE ticket_id = ?", [id]),
    ).to.deep.equal([]);
  });

  describe("reminding", () => {
    const messages = (id: number) =>
      rowsOf(database.db, "SELECT id FROM messages WHERE ticket_id = ?", [id]);

    const changeService = (change: object) =>
      database.db("services").where({ enterprise_id: harness.fixture.enterpriseId }).update(change);

    before(async () => {
      await changeService({ reminder_minutes: 30 });
    });

    const planned = async () => {
      const start = new Date(harness.api.features.clock.now().getTime() + 2 * 60 * minute);
      return { start, id: await harness.create({ invite: 1, startTime: start.toISOString() }) };
    };

    it("sends one message, however often the task runs, even if the service is disabled", async () => {
      const { id, start } = await planned();
      const [task] = await tasksOf("ticket.reminder", id);
      const dueAt = new Date(start.getTime() - 30 * minute);
      expect(task?.due_at).to.deep.equal(dueAt);
      expect(await run("ticket.reminder", id)).to.deep.include({ kind: "again", dueAt });
      expect(await messages(id)).to.have.length(1);
      advance(90 * minute);
      await changeService({ is_active: false });
      await Promise.all([run("ticket.reminder", id), run("ticket.reminder", id)]);
      await changeService({ is_active: true });
      expect(await messages(id)).to.have.length(2);
      expect(await harness.eventsSince(id)).to.have.length(1);
    });

    for (const [what, change] of [
      ["is no longer invited", { state: "opened" }],
      ["was reminded of already", { reminded_of: "start" }],
    ] as const) {
      it(`skips a ticket that ${what}`, async () => {
        const { id, start } = await planned();
        advance(90 * minute);
        await database
          .db("tickets")
          .where({ id })
          .update("reminded_of" in change ? { reminded_of: start } : change);
        expect(await run("ticket.reminder", id)).to.deep.equal({ kind: "done" });
        expect(await messages(id)).to.have.length(1);
      });
    }

    it("skips a ticket that has started", async () => {
      const { id } = await planned();
      advance(3 * 60 * minute);
      expect(await run("ticket.reminder", id)).to.deep.equal({ kind: "done" });
      expect(await messages(id)).to.have.length(1);
    });
  });

  describe("an invitation without a click", () => {
    const dataOf = async (id: number) =>
      (await tasksOf("invitation.notClicked", id))
        .map(({ data }) => data)
        .filter((data) => data["ticketId"] === id);

    it("is ignored if the customer came by the other channel", async () => {
      const id = await harness.create({ phone: "+33612345678", invite: 1 });
      const { clock, invitations } = harness.api.features;
      const { enterpriseId } = harness.fixture;
      await database.db.transaction((trx) =>
        invitations.markClicked(trx, {
          enterpriseId,
          ticketId: id,
          invitationId: undefined,
          at: clock.now(),
        }),
      );
      advance(15 * minute);
      for (const data of await dataOf(id)) {
        expect(await run("invitation.notClicked", id, data)).to.deep.equal({ kind: "done" });
      }
      expect(inWords((await harness.eventsSince(id)).slice(2))).to.deep.equal([]);
    });

    it("is ignored for a cancelled ticket", async () => {
      const id = await harness.create({ phone: "+33612345678", invite: 1 });
      const { call } = harness.api;
      expect(
        (await call(`POST /tickets/${id}/cancel`, { as: harness.fixture.admin })).status,
      ).to.equal(200);
      const before = (await harness.eventsSince(id)).length;
      advance(15 * minute);
      for (const data of await dataOf(id)) {
        expect(await run("invitation.notClicked", id, data)).to.deep.equal({ kind: "done" });
      }
      expect((await harness.eventsSince(id)).slice(before)).to.deep.equal([]);
    });

    it("is reported once per invitation, by the system", async () => {
      const id = await harness.create({ phone: "+33612345678", invite: 1 });
      const [first, second] = await dataOf(id);
      advance(15 * minute);
      for (const data of [first, second, first]) {
        expect(await run("invitation.notClicked", id, data)).to.deep.equal({ kind: "done" });
      }
      const written = (await harness.eventsSince(id)).slice(2);
      expect(inWords(written)).to.deep.equal([
        "ticket.invitationNotclicked",
        "ticket.invitationNotclicked",
      ]);
      expect(written[0]?.props).to.deep.include({
        eventCode: 15,
        requestor: {
          email: "jane@example.com",
          phone: "+33612345678",
          firstname: "",
          lastname: "",
        },
      });
    });
  });
});
