import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { expect } from "chai";
import type { BlobStore } from "../../src/platform/blobs/store.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { useDatabase } from "../support/database.ts";
import { aForm, mediaEventsOf, tinyPng, useMedia } from "../support/media.ts";
import { aTicketRow } from "../support/media-rows.ts";

/** What the blob store does with the next file. */
let put: BlobStore["put"] = async () => undefined;

const blobs: BlobStore = {
  put: (key, source) => put(key, source),
  open: async () => undefined,
  size: async () => undefined,
  remove: async () => undefined,
};

describe("interrupted upload", () => {
  const database = useDatabase();
  const api = useMedia(database, { blobs });

  const onlyMedia = async (ticketId: number) =>
    (await database.db("media").where({ ticket_id: ticketId }))[0];

  it("becomes an error with an event, and says that it can be repeated", async () => {
    put = async () => {
      throw new Error("the store is full");
    };
    const { id: ticketId } = await aTicketRow(database.db, api.fixture);
    const { status, body, headers } = await api.upload({ data: tinyPng }, { ticketId });
    expect([status, body.code]).to.deep.equal([503, 2]);
    expect(headers.get("retry-after")).to.equal("30");
    const { id, state, received_bytes: received } = await onlyMedia(ticketId);
    expect([state, received]).to.deep.equal(["error", 0]);
    expect(await mediaEventsOf(database.db, id)).to.deep.equal([
      "create inprogress",
      "update error",
    ]);
    expect(await database.db("session_events").where({ ticket_id: ticketId })).to.deep.equal([]);
  });

  it("can be repeated with the same id after it failed, or after its process died", async () => {
    const { id: ticketId, conversationId } = await aTicketRow(database.db, api.fixture);
    const { enterpriseId } = api.fixture;
    const guest = { enterpriseId, conversationId, ticketId, role: "requestor" } as const;
    const operation = `POST /guest/medias?clientId=${randomUUID()}`;
    const send = () => api.call(operation, { guest, form: aForm({ data: tinyPng }) });
    put = async () => {
      throw new Error("the store is full");
    };
    expect((await send()).status).to.equal(503);
    put = async () => undefined;
    const second = await send();
    expect(second.status).to.equal(201);
    const before = { state: "inprogress", bytes: 0 };
    await database.db("media").where({ id: second.body.id }).update(before);
    const third = await send();
    expect([third.status, third.body.id]).to.deep.equal([201, second.body.id]);
    const rows = await database.db("media").where({ ticket_id: ticketId }).orderBy("id");
    expect(rows.map(({ state }) => state)).to.deep.equal(["error", "completed"]);
  });

  it("is removed if it was stored after another attempt with the same id had failed", async () => {
    const { id: ticketId, conversationId } = await aTicketRow(database.db, api.fixture);
    const { enterpriseId } = api.fixture;
    const guest = { enterpriseId, conversationId, ticketId, role: "requestor" } as const;
    const operation = `POST /guest/medias?clientId=${randomUUID()}`;
    const send = () => api.call(operation, { guest, form: aForm({ data: tinyPng }) });
    const cleaned = async () => (await onlyMedia(ticketId)).files_removed_at !== null;
    put = async () => {
      put = async () => {
        throw new Error("the store is full");
      };
      expect((await send()).status).to.equal(503);
      await api.feature.cleanup.removeFiles();
      expect(await cleaned()).to.equal(true);
    };
    expect((await send()).status).to.equal(503);
    expect(await cleaned()).to.equal(false);
  });

  it("is reported as temporary for a chunk of a recording, which can be sent again", async () => {
    put = async () => {
      throw new Error("the store is full");
    };
    const { id: ticketId, conversationId } = await aTicketRow(database.db, api.fixture);
    const { enterpriseId, agent } = api.fixture;
    const guest = {
      enterpriseId,
      conversationId,
      ticketId,
      userId: agent.id,
      role: "agent",
    } as const;
    const begun = await api.call("POST /rtc/recordings", { guest, json: { type: "video/webm" } });
    const chunk = `PUT /rtc/recordings/${begun.body.id}/chunks/0`;
    const bytes = Buffer.from("frames");
    const { status, headers } = await api.call(chunk, { guest, bytes });
    expect([status, headers.get("retry-after")]).to.deep.equal([503, "30"]);
    put = async () => undefined;
    expect((await api.call(chunk, { guest, bytes })).status).to.equal(200);
  });

  it("has a row, an event and its size in the quota before the first byte is stored", async () => {
    const { id: ticketId } = await aTicketRow(database.db, api.fixture);
    let seen: Record<string, unknown> | undefined;
    let events: string[] = [];
    put = async () => {
      seen = await onlyMedia(ticketId);
      events = await mediaEventsOf(database.db, Number(seen?.["id"]));
    };
    await api.upload({ data: tinyPng }, { ticketId });
    expect([seen?.["state"], seen?.["bytes"], seen?.["received_bytes"]]).to.deep.equal([
      "inprogress",
      0,
      tinyPng.length,
    ]);
    expect(events).to.deep.equal(["create inprogress"]);
  });

  it("is counted in the quota by an index that has the sizes", async () => {
    const { db } = database;
    const { id: ticketId } = await aTicketRow(db, api.fixture);
    put = async () => undefined;
    const enterprise = db("enterprises").where({ id: api.fixture.enterpriseId });
    await enterprise.clone().update({ max_media_bytes: 1_000_000 });
    const statements: string[] = [];
    const keep = ({ sql }: { sql: string }) => void statements.push(sql);
    db.on("query", keep);
    expect((await api.upload({ data: tinyPng }, { ticketId })).status).to.equal(201);
    db.off("query", keep);
    await enterprise.update({ max_media_bytes: null });
    const sql = statements.find((one) => one.includes("sum(bytes"))!.replaceAll(/\$\d+/gu, "?");
    const trx = await db.transaction();
    await trx.raw("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off");
    const plan = await rowsOf(trx, `EXPLAIN ${sql}`, [api.fixture.enterpriseId]);
    await trx.rollback();
    expect(JSON.stringify(plan)).to.include("Index Only Scan using media_stored");
  });

  it("has a name that is truncated between characters", async () => {
    put = async () => undefined;
    const { id: ticketId } = await aTicketRow(database.db, api.fixture);
    const filename = `${"😀".repeat(200)}.png`;
    const { status, body } = await api.upload({ data: tinyPng, name: filename }, { ticketId });
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(body.url).to.contain(encodeURIComponent("😀".repeat(127)));
    expect((await onlyMedia(ticketId)).filename).to.equal("😀".repeat(127));
  });

  it("stays deleted if it was deleted during the upload", async () => {
    const { id: ticketId } = await aTicketRow(database.db, api.fixture);
    put = async () => {
      const { id } = await onlyMedia(ticketId);
      await api.call(`DELETE /medias/${id}`, { as: api.fixture.admin });
    };
    const { status } = await api.upload({ data: tinyPng }, { ticketId });
    expect(status).to.equal(410);
    const { id } = await onlyMedia(ticketId);
    expect(await mediaEventsOf(database.db, id)).to.deep.equal([
      "create inprogress",
      "delete inprogress",
    ]);
  });
});

describe("a file that the store cannot return", () => {
  const database = useDatabase();
  let open: BlobStore["open"] = async () => {
    throw new Error("the store is unreachable");
  };
  const api = useMedia(database, {
    blobs: { ...blobs, put: async () => undefined, open: (...wanted) => open(...wanted) },
  });

  it("is reported as temporary, and the answer is not kept like the file", async () => {
    const { id: ticketId } = await aTicketRow(database.db, api.fixture);
    const { body } = await api.upload({ data: tinyPng }, { ticketId });
    const { status, headers } = await api.call(`GET /medias/${body.id}/download`, {
      as: api.fixture.admin,
    });
    expect([status, headers.get("retry-after")]).to.deep.equal([503, "30"]);
    const shown = await api.fetchFile(body.url);
    const header = (name: string) => shown.headers.get(name);
    expect([shown.status, header("retry-after")]).to.deep.equal([503, "30"]);
    expect(header("content-type")).to.equal("application/problem+json");
    expect([header("cache-control"), header("etag"), header("content-disposition")]).to.deep.equal([
      null,
      null,
      null,
    ]);
    expect(await shown.json()).to.have.property("code", 2);
  });

  it("is a problem, not a broken answer, if it fails before the first byte", async () => {
    open = async () => ({
      totalBytes: tinyPng.length,
      stream: new Readable({ read: () => undefined }).destroy(new Error("the store fell silent")),
    });
    const { id: ticketId } = await aTicketRow(database.db, api.fixture);
    const { body } = await api.upload({ data: tinyPng }, { ticketId });
    const shown = await api.fetchFile(body.url);
    const factsOf = ({ status, headers }: Pick<Response, "status" | "headers">) => [
      ...[status, headers.get("retry-after"), headers.get("content-type"), headers.get("etag")],
    ];
    const expected = [503, "30", "application/problem+json", null];
    expect(factsOf(shown)).to.deep.equal(expected);
    expect(await shown.json()).to.include({ code: 2, detail: "The file could not be read." });
    const as = api.fixture.admin;
    const downloaded = await api.call(`GET /medias/${body.id}/download`, { as });
    expect(factsOf(downloaded)).to.deep.equal(expected);
    expect(downloaded.body).to.include({ code: 2, detail: "The file could not be read." });
  });

  it("is the same problem if the store closes the connection before the first byte", async () => {
    open = async () => {
      const stream = new Readable({ read: () => stream.destroy() });
      return { totalBytes: tinyPng.length, stream };
    };
    const { id: ticketId } = await aTicketRow(database.db, api.fixture);
    const { body } = await api.upload({ data: tinyPng }, { ticketId });
    expect((await api.fetchFile(body.url)).status).to.equal(503);
    const as = api.fixture.admin;
    expect((await api.call(`GET /medias/${body.id}/download`, { as })).status).to.equal(503);
  });

  it("is not found if the store does not have it", async () => {
    open = async () => undefined;
    const { id: ticketId } = await aTicketRow(database.db, api.fixture);
    const { body } = await api.upload({ data: tinyPng }, { ticketId });
    expect((await api.fetchFile(body.url)).status).to.equal(404);
    const as = api.fixture.admin;
    expect((await api.call(`GET /medias/${body.id}/download`, { as })).status).to.equal(404);
  });
});
