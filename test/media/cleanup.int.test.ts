import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { useDatabase } from "../support/database.ts";
import { mostReadInVain } from "../support/explain.ts";
import { mediaEventsOf, tinyPng, useMedia } from "../support/media.ts";
import { aConferenceRow, aTicketRow } from "../support/media-rows.ts";
import { aTicketFixture } from "../support/tickets.ts";

const day = 86_400_000;
const hour = 3_600_000;

describe("media cleanup", () => {
  const database = useDatabase();
  const api = useMedia(database);

  const rowOf = async (id: number) => (await database.db("media").where({ id }))[0];
  const fileOf = async (hash: string) => api.blobs.size(`media/${hash}/file`);

  it("deletes media beyond the retention of their service, emits events, and removes the files", async () => {
    const { service } = api.fixture;
    await database.db("services").where({ id: service.id }).update({ media_retention_days: 30 });
    const { id: ticketId } = await aTicketRow(database.db, api.fixture);
    const { id: conferenceId } = await aConferenceRow(database.db, api.fixture);
    const old = [await api.aPicture({ ticketId }), await api.aPicture({ conferenceId })];
    api.clock.advance(20 * day);
    const young = await api.aPicture({ ticketId });
    expect(await api.feature.cleanup.deleteExpired()).to.equal(0);
    api.clock.advance(11 * day);
    expect(await api.feature.cleanup.deleteExpired()).to.equal(2);
    expect(await api.feature.cleanup.deleteExpired()).to.equal(0);
    for (const id of old) {
      expect((await mediaEventsOf(database.db, id)).at(-1)).to.equal("delete completed");
    }
    expect((await rowOf(young)).deleted_at).to.equal(null);
    const { hash } = await rowOf(old[0]!);
    expect(await fileOf(hash)).to.equal(tinyPng.length);
    expect(await api.feature.cleanup.removeFiles()).to.equal(2);
    expect(await fileOf(hash)).to.equal(undefined);
    expect(await api.feature.cleanup.removeFiles()).to.equal(0);
    await database.db("services").where({ id: service.id }).update({ media_retention_days: 365 });
  });

  it("reads no files of enterprises that keep them longer than others", async () => {
    const { db } = database;
    const { id: ticketId } = await aTicketRow(db, api.fixture);
    const picture = await rowOf(await api.aPicture({ ticketId }));
    const copies = Array.from({ length: 500 }, () => {
      const { id: _id, ...row } = picture;
      return { ...row, hash: randomIds.uuid() };
    });
    await db("media").insert(copies);
    const { service } = await aTicketFixture(db);
    await db("services").where({ id: service.id }).update({ media_retention_days: 1 });
    api.clock.advance(2 * day);
    const statements: { sql: string; bindings: unknown[] }[] = [];
    const keep = (statement: (typeof statements)[number]) => void statements.push(statement);
    db.on("query", keep);
    expect(await api.feature.cleanup.deleteExpired()).to.equal(0);
    db.off("query", keep);
    const { sql, bindings } = statements.find((one) => one.sql.includes("media_retention_days"))!;
    const trx = await db.transaction();
    // A small table costs the same with either index.
    await trx.raw("SET LOCAL enable_seqscan = off; DROP INDEX media_age");
    const explained = `EXPLAIN (ANALYZE, COSTS OFF) ${sql.replaceAll(/\$\d+/gu, "?")}`;
    const plan = await rowsOf<{ "QUERY PLAN": string }>(trx, explained, bindings);
    await trx.rollback();
    const lines = plan.map((row) => row["QUERY PLAN"]).join("\n");
    expect(mostReadInVain(lines), lines).to.be.below(100);
  });

  it("deletes the files of deleted tickets", async () => {
    const { id: ticketId } = await aTicketRow(database.db, api.fixture);
    const id = await api.aPicture({ ticketId });
    await database.db("tickets").where({ id: ticketId }).update({ deleted_at: new Date() });
    expect(await api.feature.cleanup.deleteExpired()).to.equal(1);
    expect((await api.events(id)).at(-1)).to.equal("delete completed");
  });

  it("ends uploads whose process crashed, and removes their files", async () => {
    const { id: ticketId } = await aTicketRow(database.db, api.fixture);
    const id = await api.aPicture({ ticketId });
    await database.db("media").where({ id }).update({ state: "inprogress", bytes: 0 });
    expect(await api.feature.cleanup.endStuckUploads()).to.equal(0);
    api.clock.advance(hour + 1);
    expect(await api.feature.cleanup.endStuckUploads()).to.equal(1);
    expect((await api.events(id)).at(-1)).to.equal("update error");
    await api.feature.cleanup.removeFiles();
    expect(await fileOf((await rowOf(id)).hash)).to.equal(undefined);
  });

  it("continues if one file cannot be removed, and retries it", async () => {
    const { id: ticketId } = await aTicketRow(database.db, api.fixture);
    const stuck = await rowOf(await api.aPicture({ ticketId }));
    const other = await rowOf(await api.aPicture({ ticketId }));
    for (const { id } of [stuck, other]) {
      await api.call(`DELETE /medias/${id}`, { as: api.fixture.admin });
    }
    const { blobs } = api;
    const { remove } = blobs;
    blobs.remove = async (key) => {
      if (key.includes(stuck.hash)) {
        throw new Error("not permitted");
      }
      await remove(key);
    };
    await api.feature.cleanup.removeFiles();
    blobs.remove = remove;
    expect(await fileOf(other.hash)).to.equal(undefined);
    expect(await fileOf(stuck.hash)).not.to.equal(undefined);
    await api.feature.cleanup.removeFiles();
    expect(await fileOf(stuck.hash)).to.equal(undefined);
  });

  it("removes the file of an upload that was deleted while it was being stored", async () => {
    const { id: ticketId } = await aTicketRow(database.db, api.fixture);
    const { id, hash } = await rowOf(await api.aPicture({ ticketId }));
    await database.db("media").where({ id }).update({ state: "inprogress", bytes: 0 });
    await api.call(`DELETE /medias/${id}`, { as: api.fixture.admin });
    await api.feature.cleanup.removeFiles();
    expect((await rowOf(id)).files_removed_at).to.equal(null);
    api.clock.advance(hour + 1);
    await api.feature.cleanup.removeFiles();
    expect((await rowOf(id)).files_removed_at).not.to.equal(null);
    expect(await fileOf(hash)).to.equal(undefined);
  });

  it("ignores recordings, which have their own timers", async () => {
    const place = await aTicketRow(database.db, api.fixture);
    const guest = {
      enterpriseId: api.fixture.enterpriseId,
      conversationId: place.conversationId,
      ticketId: place.id,
      role: "agent",
      userId: api.fixture.agent.id,
    } as const;
    await api.call("POST /rtc/recordings", { guest, json: { type: "video/webm" } });
    api.clock.advance(2 * hour);
    expect(await api.feature.cleanup.endStuckUploads()).to.equal(0);
  });

  it("purges media deleted 30 days ago, once the file is removed", async () => {
    const { id: ticketId } = await aTicketRow(database.db, api.fixture);
    const id = await api.aPicture({ ticketId });
    await api.call(`DELETE /medias/${id}`, { as: api.fixture.admin });
    api.clock.advance(31 * day);
    await api.feature.cleanup.purge();
    expect(await rowOf(id), "its file is still there").not.to.equal(undefined);
    await api.feature.cleanup.removeFiles();
    expect(await api.feature.cleanup.purge()).to.be.greaterThan(0);
    expect(await rowOf(id)).to.equal(undefined);
  });
});
