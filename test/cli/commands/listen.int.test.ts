import { verify as verifyHub } from "@octokit/webhooks-methods";
import { expect } from "chai";
import type { Caller } from "../../../src/http/route.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { createWebhookRoutes } from "../../../src/subscriptions/routes.ts";
import { startCli, urlOf, type CliRun } from "../../support/cli-shell.ts";
import { useDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { anEnterprise } from "../../support/factories.ts";
import { addDeliveries, startPullApi, type PullApi } from "../../support/pull-api.ts";
import { startReceiver, type Receiver } from "../../support/receiver.ts";
import { isSignedWith } from "../../support/signatures.ts";
import { aCaller, startWebhookApi, type WebhookApi } from "../../support/webhook-api.ts";

const times = { heartbeatMs: 200, checkMs: 5_000, mostMs: 60_000 };
const secret = `whsec_${Buffer.alloc(32, 4).toString("base64")}`;

type WebhookRow = {
  id: number;
  name: string;
  is_deleted: boolean;
  filters: string[];
  mode: string;
};

describe("sightline listen and events tail", () => {
  const database = useDatabase();
  let webhooks: WebhookApi;
  let api: PullApi;
  let receiver: Receiver;
  let caller: Caller;
  const runs: CliRun[] = [];
  before(async () => {
    webhooks = await startWebhookApi(database.db);
    api = await startPullApi(database.db, { times, routes: createWebhookRoutes(webhooks.service) });
  });
  beforeEach(async () => {
    receiver = await startReceiver();
    caller = await aCaller(database.db, "admin", (await anEnterprise(database.db)).id);
    api.admit(caller);
  });
  afterEach(async () => {
    for (const run of runs.splice(0)) {
      run.interrupt();
      await run.done;
    }
    await receiver.close();
  });
  after(async () => {
    await api.close();
    await webhooks.close();
  });

  const envOf = (token = caller.token): Record<string, string> => ({
    SIGHTLINE_URL: api.url.replace(/\/api$/u, ""),
    SIGHTLINE_TOKEN: token,
  });
  const start = (words: readonly string[], env = envOf()): CliRun => {
    const run = startCli(words, { env });
    runs.push(run);
    return run;
  };
  const rows = (): Promise<WebhookRow[]> =>
    rowsOf(
      database.db,
      `SELECT id, name, filters, mode, deleted_at IS NOT NULL AS is_deleted FROM subscriptions
       WHERE enterprise_id = ? ORDER BY id`,
      [caller.enterpriseId],
    );
  const isReady = (run: CliRun) => eventually(() => run.err.includes("Press Ctrl-C to stop"));
  const add = (id: number, bodies: readonly string[]): Promise<void> =>
    addDeliveries(database.db, { enterpriseId: caller.enterpriseId, id }, bodies);

  it("forwards events to a local program, signed and with the headers of a delivery", async () => {
    const words = ["listen", "--forward", receiver.url, "--filters", "ticket.*,media.update"];
    const run = start([...words, "--secret", secret]);
    await isReady(run);
    const [webhook] = await rows();
    expect(webhook).to.deep.include({ mode: "pull", filters: ["ticket.*", "media.update"] });
    const body = '{"event": "update",  "props":{"é":"\\u00e9"}}';
    await add(webhook!.id, [body, body]);
    await eventually(() => receiver.requests.length === 2);
    const [first, second] = receiver.requests;
    expect(first!.text).to.equal(body);
    expect(isSignedWith(secret, first!)).to.equal(true);
    expect(first!.headers).to.deep.include({
      "content-type": "application/JSON",
      "user-agent": "Sightline Cloud",
      "webhook-sequence": "1",
      "webhook-attempt": "1",
    });
    expect(first!.id).to.match(/^evt_/);
    expect(second!.headers["webhook-sequence"]).to.equal("2");
    await eventually(() => run.out.split("\n").length === 3);
    expect(run.out).to.match(/ticket\.update {2}1 {2}evt_.* → 200 in \d+ ms/u);
    expect(run.out + run.err).to.not.contain(secret.slice(6));
  });

  it("removes its webhook at Ctrl-C, and exits with 130", async () => {
    const run = start(["listen", "--forward", receiver.url]);
    await isReady(run);
    expect((await rows()).map((row) => row.is_deleted)).to.deep.equal([false]);
    run.interrupt();
    expect(await run.done).to.equal(130);
    expect((await rows()).map((row) => row.is_deleted)).to.deep.equal([true]);
  });

  it("removes the webhook of a killed run, and no other", async () => {
    const first = start(["listen", "--forward", receiver.url]);
    await isReady(first);
    const [own] = await rows();
    const name = own!.name.replace(/\d+$/u, "");
    // Process ids above the kernel's maximum never exist.
    const kept = [`${name}99999999`, own!.name, `${name.replace("listen ", "listen x")}1`, "CRM"];
    await rowsOf(
      database.db,
      `WITH made AS (
         INSERT INTO subscriptions (enterprise_id, name, secret_sealed)
         SELECT ?, name, '\\x00' FROM unnest(?::text[]) AS input(name)
         RETURNING id, enterprise_id)
       INSERT INTO subscription_health (subscription_id, enterprise_id)
       SELECT id, enterprise_id FROM made`,
      [caller.enterpriseId, kept],
    );
    const second = start(["events", "tail"]);
    await isReady(second);
    const deleted = (await rows()).filter((row) => row.is_deleted).map((row) => row.name);
    expect(deleted).to.deep.equal([kept[0]]);
    expect(second.err).to.contain("left by an earlier run");
  });

  it("shows the program's answer, and retries while the program restarts", async () => {
    const url = receiver.url;
    receiver.answerWith([500, "reset", 204]);
    const run = start(["listen", "--forward", url, "--json"]);
    await isReady(run);
    const [webhook] = await rows();
    await add(webhook!.id, ["{}", "{}"]);
    await eventually(() => run.out.trim().split("\n").length === 2, { timeoutMs: 8_000 });
    const results = run.out
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { result: Record<string, unknown> }).result);
    expect(results.map(({ kind, status, attempts }) => [kind, status, attempts])).to.deep.equal([
      ["answered", 500, 1],
      ["answered", 204, 2],
    ]);
    expect(receiver.requests.map(({ headers }) => headers["webhook-attempt"])).to.deep.equal([
      "1",
      "1",
      "2",
    ]);
  });

  it("prints the status of an answer that is cut off, and words for a failure", async () => {
    receiver.answerWith([
      { raw: (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\nok") },
      { raw: (socket) => socket.end("not HTTP\r\n\r\n") },
    ]);
    const run = start(["listen", "--forward", receiver.url]);
    await isReady(run);
    const [webhook] = await rows();
    await add(webhook!.id, ["{}", "{}"]);
    await eventually(() => run.out.trim().split("\n").length === 2);
    const [truncated, invalid] = run.out.trim().split("\n");
    expect(truncated).to.match(/ → 200 in \d+ ms$/u);
    expect(invalid).to.contain(" → The response is not valid HTTP (");
  });

  it("resumes after the last event if the stream is lost", async () => {
    const short = await startPullApi(database.db, {
      times: { ...times, mostMs: 300 },
      routes: createWebhookRoutes(webhooks.service),
    });
    short.admit(caller);
    let opened = 0;
    const addBeforeOpening: typeof fetch = async (url, init) => {
      if (urlOf(url).pathname.endsWith("/stream")) {
        opened += 1;
        const [webhook] = await rows();
        await add(webhook!.id, opened > 1 ? ['{"n":1}', '{"n":2}'] : []); // while no client is connected
      }
      return fetch(url, init);
    };
    const env = { ...envOf(), SIGHTLINE_URL: short.url.replace(/\/api$/u, "") };
    const run = startCli(["events", "tail", "--json"], { env, fetch: addBeforeOpening });
    runs.push(run);
    await eventually(() => opened >= 4, { timeoutMs: 10_000 });
    await eventually(() => run.out.split("\n").length > 6, { timeoutMs: 10_000 });
    const sequences = run.out
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { sequence: number }).sequence);
    expect(sequences.slice(0, 6)).to.deep.equal([1, 2, 3, 4, 5, 6]);
    run.interrupt();
    await run.done;
    await short.close();
  }).timeout(25_000);

  it("listens to an existing webhook from a cursor", async () => {
    const { body } = await webhooks.as(caller)("POST", "/webhooks", {
      mode: "pull",
      filters: ["*"],
    });
    const id = body["id"] as number;
    await add(id, ['{"n":1}', '{"n":2}']);
    const page = await api.get(caller, `/webhooks/${id}/events?limit=1`);
    const words = [
      "events",
      "tail",
      "--webhook",
      String(id),
      "--after",
      page.body["next"],
      "--body",
    ];
    const run = start(words);
    await eventually(() => run.out.includes('{"n":2}'));
    expect(run.out).to.not.contain('{"n":1}');
    expect(run.out).to.contain("#2  ticket.update  2  available");
    run.interrupt();
    expect(await run.done).to.equal(130);
    expect((await rows()).map((row) => row.is_deleted)).to.deep.equal([false]);
  });

  it("uses the signature presets of an existing webhook without changing it", async () => {
    const { body } = await webhooks.as(caller)("POST", "/webhooks", {
      ...{ mode: "push", url: "https://receiver.example/hook", filters: ["*"] },
      ...{ headerPresets: ["github", "stripe"], secret },
    });
    const id = body["id"] as number;
    const words = [
      "listen",
      "--forward",
      receiver.url,
      "--webhook",
      String(id),
      "--secret",
      secret,
    ];
    const run = start(words);
    await isReady(run);
    await add(id, ['{"n":1}']);
    await eventually(() => receiver.requests.length === 1);
    const [request] = receiver.requests;
    expect(isSignedWith(secret, request!)).to.equal(true);
    const hub = String(request!.headers["x-hub-signature-256"]);
    expect(await verifyHub(secret, request!.text, hub)).to.equal(true);
    expect(request!.headers["stripe-signature"]).to.match(/^t=\d+,v1=[0-9a-f]{64}$/u);
    run.interrupt();
    await run.done;
    expect((await rows()).map((row) => row.is_deleted)).to.deep.equal([false]);
  });

  it("escapes control characters of events (terminal injection)", async () => {
    const run = start(["events", "tail", "--body"]);
    await isReady(run);
    const [webhook] = await rows();
    await add(webhook!.id, ["\u001B]0;title\u0007 done"]);
    await eventually(() => run.out.includes("done"));
    expect(run.out).to.not.contain("\u001B");
  });

  it("exits with 3 and one line if the platform rejects or cannot be reached", async () => {
    const strange = start(["events", "tail"], envOf("wrong"));
    expect(await strange.done).to.equal(3);
    expect(strange.err).to.equal(
      "Refused with 401, code 4: The access token is unknown, expired or revoked.\n",
    );
    const gone = start(["events", "tail"], { ...envOf(), SIGHTLINE_URL: "http://127.0.0.1:9" });
    expect(await gone.done).to.equal(3);
    expect(gone.err).to.contain("http://127.0.0.1:9 cannot be reached");
    const none = start(["events", "tail", "--webhook", "999999"]);
    expect(await none.done).to.equal(3);
    expect(none.err).to.contain("404");
  });

  it("rejects invalid arguments before it creates anything", async () => {
    const cases = [
      ["listen", "--forward", "localhost"],
      ["listen", "--forward", "http://user:password@localhost/"],
      ["listen", "--forward", receiver.url, "--webhook", "1"],
      ["listen", "--forward", receiver.url, "--secret", "short"],
      ["listen", "--forward", receiver.url, "--webhook", "1", "--secret", secret, "--filters", "*"],
      ["events", "tail", "--after", "x"],
      ["events", "tail", "--webhook", "0"],
      ["listen"],
    ];
    for (const words of cases) {
      expect(await start(words).done, words.join(" ")).to.equal(2);
    }
    expect(await rows()).to.deep.equal([]);
  });
});
