import { expect } from "chai";
import type { Trx } from "../../src/platform/db/pool.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { dueOf, useConferenceApi } from "../support/conferences.ts";
import { useDatabase } from "../support/database.ts";

const minuteMs = 60_000;

describe("a conference and its room", () => {
  const database = useDatabase();
  const api = useConferenceApi(database);

  const create = async (json: Record<string, unknown> = {}) => {
    const as = api.fixture.organizer;
    const { body } = await api.call("POST /conferences", {
      as,
      json: { participants: "a@b.test", ...json },
    });
    const { enterpriseId } = api.fixture;
    const ref = { kind: "conference", enterpriseId, id: Number(body.id) } as const;
    const status = async () => (await api.call(`GET /conferences/${body.id}`, { as })).body.status;
    return { ref, status };
  };
  const locked = (work: (trx: Trx) => Promise<unknown>) => inTransaction(database.db, work);
  const over = (cause: "empty" | "ended" | "crash") =>
    ({ cause, wasEstablished: false, at: api.features.clock.now() }) as const;

  it("is ongoing from the first admission, and scheduled again while its planned time lasts", async () => {
    const { room, clock } = api.features;
    const { ref, status } = await create();
    await locked((trx) => room.sessionStarted(trx, ref, clock.now()));
    expect(await status()).to.equal("ongoing");
    await locked((trx) => room.sessionEnded(trx, ref, over("empty")));
    expect(await status()).to.equal("scheduled");
  });

  it("ends with its session after the planned end, unless it is open", async () => {
    const { room, clock } = api.features;
    const closed = await create();
    const open = await create({ open: true });
    for (const { ref } of [closed, open]) {
      await locked((trx) => room.sessionStarted(trx, ref, clock.now()));
    }
    clock.advance(61 * minuteMs);
    for (const { ref } of [closed, open]) {
      await locked((trx) => room.sessionEnded(trx, ref, over("crash")));
    }
    expect(await closed.status()).to.equal("ended");
    expect(await dueOf(database.db, "conference.end", closed.ref.id)).to.equal(undefined);
    expect(await open.status()).to.equal("scheduled");
  });

  it("ends at once when the organizer ends it, and cannot start again", async () => {
    const { room, clock } = api.features;
    const { ref, status } = await create();
    await locked((trx) => room.sessionStarted(trx, ref, clock.now()));
    await locked((trx) => room.sessionEnded(trx, ref, over("ended")));
    expect(await status()).to.equal("ended");
    await locked((trx) => room.sessionStarted(trx, ref, clock.now()));
    expect(await status()).to.equal("ended");
    const seen = await inTransaction(database.db, (trx) => room.lock(trx, ref));
    expect(seen?.isOver).to.equal(true);
  });

  it("ends its running session with POST end, and lists the attendees", async () => {
    const { rooms } = api.features;
    const { ref } = await create();
    const as = api.fixture.organizer;
    const [row] = await database.db("conferences").where({ id: ref.id }).select("conversation_id");
    const who = { enterpriseId: ref.enterpriseId, conversationId: row.conversation_id };
    await rooms.join({
      guest: {
        ...who,
        ticketId: null,
        conferenceId: ref.id,
        role: "organizer",
        participant: "user-1",
        visit: "v",
        userId: as.id,
        name: "Ada",
      },
      userAgent: null,
    });
    const ended = await api.call(`POST /conferences/${ref.id}/end`, { as });
    expect([ended.status, ended.body.status]).to.deep.equal([200, "ended"]);
    const session = await rooms.findLatestSession(database.db, who);
    expect(session?.endedAt).not.to.equal(null);
    const { body } = await api.call(`GET /conferences/${ref.id}/participants?offset=1`, { as });
    const now = `${api.features.clock.now().toISOString().slice(0, 19)}+00:00`;
    expect(body).to.deep.equal({
      total: 2,
      data: [
        {
          kind: "attended",
          name: "Ada",
          email: null,
          phone: null,
          role: "organizer",
          user_id: as.id,
          invited: null,
          joined: now,
          left: now,
          is_present: false,
        },
      ],
    });
  });
});
