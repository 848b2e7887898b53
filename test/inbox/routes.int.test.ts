import { expect } from "chai";
import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { ensureDemoSubscription } from "../../src/subscriptions/inbox.ts";
import { useDatabase } from "../support/database.ts";
import { anEnterprise } from "../support/factories.ts";
import {
  anInbox,
  inboxSecret,
  startInboxServer,
  type InboxServer,
  type MadeInbox,
} from "../support/inbox-server.ts";
import { undecryptable } from "../support/secret-box.ts";

type Shown = {
  id: number;
  received: string;
  verified: boolean | null;
  headers: [string, string][];
  body: string;
};

type Listed = { total: number; hasMore: boolean; requests: Shown[] };

const body =
  '{"event":"create","time":1,"object":"ticket","objectId":1000,"props":{"state":"new"}}';

describe("inbox", () => {
  const database = useDatabase();
  let server: InboxServer;
  let made: MadeInbox;
  let inbox = "";

  before(async () => {
    server = await startInboxServer(database.db);
  });
  beforeEach(async () => {
    made = await anInbox(database.db, server);
    inbox = made.url;
  });
  after(async () => {
    await server.close();
  });
  const owner = () => ({
    enterpriseId: made.enterpriseId,
    userId: null,
    login: "admin@test.example",
  });

  const signed = (text: string, by = inboxSecret): Record<string, string> => {
    const at = new Date();
    return {
      "webhook-id": "evt_1",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": new Webhook(by).sign("evt_1", at, text),
    };
  };
  const send = async (
    text: string | Buffer,
    headers: Record<string, string> = {},
    query = "",
  ): Promise<number> => {
    const response = await fetch(inbox + query, { method: "POST", body: text, headers });
    await response.arrayBuffer();
    return response.status;
  };
  const read = async (query = ""): Promise<Listed> =>
    (await (await fetch(`${inbox}/requests${query}`)).json()) as never;
  const newest = async (): Promise<Shown> => {
    const [first] = (await read()).requests;
    if (first === undefined) {
      throw new Error("the inbox is empty");
    }
    return first;
  };

  it("stores a signed webhook with its exact body and header names, as verified", async () => {
    const status = await send(body, { ...signed(body), "X-Own": "own" });
    expect(status).to.equal(204);
    const { total, requests } = await read();
    expect(total).to.equal(1);
    expect(requests[0]).to.deep.include({ verified: true, body });
    expect(requests[0]?.headers).to.deep.include.members([
      ["webhook-id", "evt_1"],
      ["X-Own", "••••"],
    ]);
    const [row] = await rowsOf<{ headers: object }>(
      database.db,
      "SELECT headers FROM inbox_requests WHERE inbox_key = ?",
      [made.key],
    );
    expect(JSON.stringify(row)).to.contain("X-Own").and.not.contain('"own"');
    expect(Date.now() - Date.parse(requests[0]?.received ?? "")).to.be.lessThan(60_000);
  });

  it("stores unsigned, wrongly signed and modified requests as not verified", async () => {
    const other = `whsec_${Buffer.alloc(32, 4).toString("base64")}`;
    for (const headers of [{}, signed(body, other), signed(`${body} `)]) {
      await send(body, headers);
      expect((await newest()).verified).to.equal(false);
    }
  });

  it("verifies raw bytes that are not text", async () => {
    const bytes = Buffer.from([0x7b, 0x00, 0xff, 0xfe, 0x7d]);
    // The `standardwebhooks` package signs text only, so its signature does not match these bytes.
    const headers = signed("");
    const mac = createHmac("sha256", Buffer.alloc(32, 3))
      .update(`evt_1.${headers["webhook-timestamp"]}.`)
      .update(bytes);
    await send(bytes, { ...headers, "webhook-signature": `v1,${mac.digest("base64")}` });
    expect(await newest()).to.deep.include({ verified: true, body: "{\uFFFD\uFFFD\uFFFD}" });
    await send("{é\u0000}", signed("{é\u0000}"));
    expect(await newest()).to.deep.include({ verified: true, body: "{é\uFFFD}" });
  });

  it("accepts any type of body, and no body", async () => {
    expect(await send("a=1", { "content-type": "application/x-www-form-urlencoded" })).to.equal(
      204,
    );
    expect((await newest()).body).to.equal("a=1");
    expect(await send("{", { "content-type": "application/json" })).to.equal(204);
    expect((await newest()).body).to.equal("{");
    expect(await send("")).to.equal(204);
    expect((await newest()).body).to.equal("");
  });

  it("rejects bodies over 256 KB and compressed ones without storing them", async () => {
    expect(await send("x".repeat(256 * 1024))).to.equal(204);
    expect(await send("x".repeat(256 * 1024 + 1))).to.equal(413);
    expect(await send("x", { "content-encoding": "gzip" })).to.equal(415);
    expect((await read()).total).to.equal(1);
  });

  it("answers the requested status and stores the request", async () => {
    for (const status of [200, 302, 410, 429, 500, 503]) {
      expect(await send(body, {}, `?status=${status}`)).to.equal(status);
    }
    expect((await read()).total).to.equal(6);
    for (const query of ["?status=99", "?status=600", "?status=abc", "?status=500&status=500"]) {
      expect(await send(body, {}, query), query).to.equal(400);
    }
  });

  it("also verifies for a subscription whose URL requests a status", async () => {
    await server.webhooks.update(owner(), made.subscriptionId, {
      url: `${inbox}?status=500`,
    });
    expect(await send(body, signed(body), "?status=500")).to.equal(500);
    expect((await newest()).verified).to.equal(true);
  });

  it("shows its page to browsers, with the address and the logins of the example commands", async () => {
    const page = await fetch(inbox);
    expect([page.status, await page.text()]).to.deep.equal([200, "the page inbox"]);
    const listed = (await (await fetch(`${inbox}/requests`)).json()) as { examples: object };
    expect(listed.examples).to.deep.equal({
      baseUrl: "https://demo.example",
      login: "admin@demo.example",
      agent: "agent@demo.example",
    });
  });

  it("shows the platform's logins to local requests only", async () => {
    const answer = await fetch(`${inbox}/requests`, { headers: { via: "1.1 proxy" } });
    const { examples } = (await answer.json()) as { examples: object };
    expect(examples).to.include({ login: "<login>", agent: "<login>" });
  });

  it("shows the newest first and pages in both directions without gaps or duplicates", async () => {
    for (let n = 0; n < 5; n += 1) {
      await send(String(n));
    }
    const bodies = ({ requests }: { requests: Shown[] }): string[] => requests.map((r) => r.body);
    const all = await read();
    expect(bodies(all)).to.deep.equal(["4", "3", "2", "1", "0"]);
    const third = all.requests[2]?.id ?? 0;
    expect(bodies(await read(`?after=${third}`))).to.deep.equal(["4", "3"]);
    expect(bodies(await read(`?before=${third}`))).to.deep.equal(["1", "0"]);
    expect(bodies(await read(`?before=${third}&limit=1`))).to.deep.equal(["1"]);
    for (const query of ["?after=-1", "?limit=0", "?limit=101", "?before=x"]) {
      expect((await fetch(`${inbox}/requests${query}`)).status, query).to.equal(400);
    }
  });

  it("limits an answer to 4 MB and reports that there is more", async () => {
    const first = await read();
    expect(first).to.deep.include({ hasMore: false });
    await Promise.all(Array.from({ length: 20 }, () => send("x".repeat(256 * 1024))));
    const response = await fetch(`${inbox}/requests?limit=100`);
    const text = await response.text();
    expect(text.length).to.be.within(3 * 1024 * 1024, 4.1 * 1024 * 1024);
    const { total, requests, hasMore } = JSON.parse(text) as Listed;
    expect({ total, hasMore }).to.deep.equal({ total: 20, hasMore: true });
    const rest = await read(`?before=${requests.at(-1)?.id}`);
    expect(requests.length + rest.requests.length).to.equal(20);
    expect(rest.hasMore).to.equal(false);
  });

  it("stores concurrent requests in an order that pollers can follow", async () => {
    const sent = Array.from({ length: 60 }, (_, n) => `body ${n}`);
    const seen: string[] = [];
    let after = 0;
    const follow = async (): Promise<void> => {
      const { requests } = await read(`?after=${after}&limit=100`);
      seen.push(...requests.map((request) => request.body));
      after = requests[0]?.id ?? after;
    };
    const sending = Promise.all(sent.map((text) => send(text)));
    for (let n = 0; n < 10; n += 1) {
      await follow();
    }
    await sending;
    await follow();
    expect(seen.toSorted()).to.deep.equal(sent.toSorted());
  });

  it("keeps the newest 500 requests per inbox", async () => {
    const { key } = made;
    await rowsOf(
      database.db,
      `INSERT INTO inbox_requests (inbox_key, headers, body)
       SELECT key, '[]', n::text FROM generate_series(1, 510) AS n, unnest(?::text[]) AS key`,
      [[key, "another"]],
    );
    await send("newest");
    const count = async (inboxKey: string): Promise<number> =>
      (
        await rowsOf<{ count: number }>(
          database.db,
          "SELECT count(*) AS count FROM inbox_requests WHERE inbox_key = ?",
          [inboxKey],
        )
      )[0]?.count ?? 0;
    expect(await count(key)).to.equal(500);
    expect(await count("another")).to.equal(510);
    expect((await newest()).body).to.equal("newest");
  });

  it("exists as long as a webhook points to it", async () => {
    await send(body);
    await server.webhooks.remove(owner(), made.subscriptionId);
    expect(await send(body)).to.equal(404);
    expect((await fetch(`${inbox}/requests`)).status).to.equal(404);
    const page = await fetch(inbox);
    expect(page.status).to.equal(404);
    expect(await page.text()).to.equal("the page inbox/unknown");
    await server.webhooks.create(owner(), { url: inbox });
    expect(await read()).to.deep.include({ total: 0, requests: [] });
  });

  it("answers 404 to every key without a webhook", async () => {
    const known = made.key;
    for (const key of [
      randomIds.base62(22),
      known.slice(1),
      `${known}x`,
      known.toLowerCase() === known ? known.toUpperCase() : known.toLowerCase(),
      "%25",
      "%00",
      "'%20OR%20''='",
      "assets",
    ]) {
      const address = `${server.base}/inbox/${key}`;
      expect((await fetch(address, { method: "POST", body: "x" })).status, key).to.equal(404);
      expect((await fetch(`${address}/requests`)).status, key).to.equal(404);
      expect((await fetch(address)).status, key).to.equal(404);
    }
  });

  it("stays readable, and checks no signature, if the secret cannot be decrypted", async () => {
    await rowsOf(database.db, "UPDATE subscriptions SET secret_sealed = ? WHERE url = ?", [
      undecryptable,
      inbox,
    ]);
    await send(body, signed(body));
    expect((await newest()).verified).to.equal(null);
  });

  it("works with the demo subscription of a first start", async () => {
    const { id } = await anEnterprise(database.db);
    const { base, secretBox, webhooks } = server;
    const deps = { db: database.db, secretBox, ids: randomIds };
    inbox = String(await ensureDemoSubscription(deps, { enterpriseId: id, baseUrl: base }));
    const secrets = await webhooks.findInboxSecrets(inbox.slice(-22));
    expect(secrets).to.have.length(1);
    await send(body, signed(body, secrets?.[0]));
    expect((await newest()).verified).to.equal(true);
  });
});
