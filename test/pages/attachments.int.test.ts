import { expect } from "chai";
import { useDatabase } from "../support/database.ts";
import { tinyPng, useMedia } from "../support/media.ts";
import { aTicketRow } from "../support/media-rows.ts";
import { aTestUser, aTicketFixture } from "../support/tickets.ts";

describe("public URLs of files", () => {
  const database = useDatabase();
  const api = useMedia(database);
  let ticketId = 0;

  before(async () => {
    ({ id: ticketId } = await aTicketRow(database.db, api.fixture));
  });

  const aFile = async () => {
    const file = { data: Buffer.from("0123456789"), name: "a b é.txt", type: "text/plain" };
    const { body } = await api.upload(file, { ticketId });
    return { id: body.id as number, url: body.url as string, hash: body.hash as string };
  };

  const get = (url: string, headers: Record<string, string> = {}, method = "GET") =>
    api.fetchFile(url, { headers, method });

  const codeOf = async (response: Response): Promise<[number, number]> => {
    const { code } = (await response.json()) as { code: number };
    return [response.status, code];
  };

  it("serve the file with its type, as an attachment that browsers do not execute", async () => {
    const { url } = await aFile();
    const response = await get(url);
    expect(response.status).to.equal(200);
    expect(await response.text()).to.equal("0123456789");
    const header = (name: string) => response.headers.get(name);
    expect(header("content-type")).to.match(/^text\/plain/u);
    expect(header("content-length")).to.equal("10");
    expect(header("content-disposition")).to.equal(
      `attachment; filename="a b _.txt"; filename*=UTF-8''a%20b%20%C3%A9.txt`,
    );
    expect(header("x-content-type-options")).to.equal("nosniff");
    expect(header("content-security-policy")).to.equal("sandbox; default-src 'none'");
    expect(header("cache-control")).to.match(/^private/u);
    expect(header("accept-ranges")).to.equal("bytes");
  });

  it("display pictures inline", async () => {
    const { body } = await api.upload({ data: tinyPng }, { ticketId });
    const response = await get(body.url);
    expect(response.headers.get("content-disposition")).to.match(/^inline; /u);
    expect(response.headers.get("content-type")).to.equal("image/png");
    expect(Buffer.from(await response.arrayBuffer()).equals(tinyPng)).to.equal(true);
  });

  it("answer HEAD with the same headers and no body", async () => {
    const { url } = await aFile();
    const response = await get(url, {}, "HEAD");
    expect([response.status, response.headers.get("content-length")]).to.deep.equal([200, "10"]);
    expect(await response.text()).to.equal("");
  });

  for (const [range, text, contentRange] of [
    ["bytes=0-3", "0123", "bytes 0-3/10"],
    ["bytes=7-", "789", "bytes 7-9/10"],
    ["bytes=-2", "89", "bytes 8-9/10"],
    ["bytes=5-100", "56789", "bytes 5-9/10"],
  ] as const) {
    it(`serve the range ${range}`, async () => {
      const { url } = await aFile();
      const response = await get(url, { range });
      expect(response.status).to.equal(206);
      expect(await response.text()).to.equal(text);
      expect(response.headers.get("content-range")).to.equal(contentRange);
      expect(response.headers.get("content-length")).to.equal(String(text.length));
    });
  }

  for (const range of ["bytes=10-", "bytes=-0", "bytes=11-20"]) {
    it(`reject the range ${range}`, async () => {
      const { url } = await aFile();
      const response = await get(url, { range });
      expect(response.status).to.equal(416);
      expect(response.headers.get("content-range")).to.equal("bytes */10");
    });
  }

  for (const range of ["bytes=0-1,4-5", "lines=0-1", "bytes=5-2", "bytes=-"]) {
    it(`serve the whole file for ${range}`, async () => {
      const { url } = await aFile();
      const response = await get(url, { range });
      expect([response.status, await response.text()]).to.deep.equal([200, "0123456789"]);
    });
  }

  it("honour If-Range and If-None-Match", async () => {
    const { url } = await aFile();
    const etag = (await get(url, {}, "HEAD")).headers.get("etag") ?? "";
    const range = "bytes=0-1";
    expect((await get(url, { range, "if-range": etag })).status).to.equal(206);
    expect((await get(url, { range, "if-range": '"older"' })).status).to.equal(200);
    expect((await get(url, { "if-none-match": etag })).status).to.equal(304);
  });

  it("are rejected with another signature, for another file, and after an hour", async () => {
    const one = await aFile();
    const two = await aFile();
    const forged = one.url.replace(/s=.*/u, `s=${"A".repeat(43)}`);
    expect(await codeOf(await get(forged))).to.deep.equal([403, 6]);
    const swapped = one.url.replace(one.hash, two.hash);
    expect(await codeOf(await get(swapped))).to.deep.equal([403, 6]);
    const later = one.url.replace(/e=(\d+)/u, (_all, e: string) => `e=${Number(e) + 1}`);
    expect(await codeOf(await get(later))).to.deep.equal([403, 6]);
    expect(await codeOf(await get(one.url.replace(/s=.*/u, "s=")))).to.deep.equal([403, 6]);
    api.clock.advance(3_599_000);
    expect((await get(one.url)).status).to.equal(200);
    api.clock.advance(1_000);
    expect(await codeOf(await get(one.url))).to.deep.equal([403, 6]);
  });

  it("accept an access token instead, with the reach of its user", async () => {
    const { url } = await aFile();
    const [bare = ""] = url.split("?");
    const as = async (login: string) =>
      (await get(bare, { authorization: `Bearer ${login}` })).status;
    const { enterpriseId, agent, admin } = api.fixture;
    expect(await as(agent.login)).to.equal(200);
    expect(await as(admin.login)).to.equal(200);
    const other = await aTestUser(database.db, enterpriseId, "agent");
    expect(await as(other.login)).to.equal(403);
    const foreign = await aTicketFixture(database.db);
    expect(await as(foreign.admin.login)).to.equal(404);
    expect(await as("nobody")).to.equal(401);
    expect((await get(bare)).status).to.equal(401);
  });

  it("answer 404 for unknown files, 410 for deleted ones", async () => {
    const { id, url, hash } = await aFile();
    const unknown = url.replace(hash, "00000000-0000-4000-8000-000000000000");
    expect(await codeOf(await get(unknown))).to.deep.equal([404, 8]);
    expect((await get(url.replace(hash, "not-a-hash"))).status).to.equal(404);
    await api.call(`DELETE /medias/${id}`, { as: api.fixture.admin });
    expect(await codeOf(await get(url))).to.deep.equal([410, 17]);
  });

  it("answer 404 while the file is not complete", async () => {
    const { id, url } = await aFile();
    await database.db("media").where({ id }).update({ state: "inprogress" });
    expect((await get(url)).status).to.equal(404);
  });

  it("answer 410 after the ticket was deleted", async () => {
    const ticket = await aTicketRow(database.db, api.fixture);
    const { body } = await api.upload({ data: tinyPng }, { ticketId: ticket.id });
    await database.db("tickets").where({ id: ticket.id }).update({ deleted_at: new Date() });
    expect((await get(body.url)).status).to.equal(410);
    const { status } = await api.call(`GET /medias/${body.id}`, { as: api.fixture.admin });
    expect(status).to.equal(404);
  });
});
