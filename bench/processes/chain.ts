/**
 * The bare chain: what every design with the platform's processes has to do for one change, and
 * nothing else. A web process that writes the change and an outbox row in one transaction and wakes
 * a relay, which turns the row into a delivery and a job of BullMQ, whose worker sends a request and
 * stores the result. No identities, rules, filters, signatures, order, limits or recovery; it loses
 * deliveries if a process dies. Each process runs one of the commands.
 */
import http from "node:http";
import type { AddressInfo } from "node:net";
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import pg from "pg";
import { serveCommands } from "../support/commands.ts";

export type Servers = { databaseUrl: string; redisUrl: string };

const [channel, queueName, prefix] = ["chain:wake", "chain", "chain"];

const tablesSql = `
  DROP SCHEMA IF EXISTS chain CASCADE;
  CREATE SCHEMA chain;
  CREATE TABLE chain.objects (id bigint PRIMARY KEY, subject text, version bigint DEFAULT 0);
  INSERT INTO chain.objects (id) SELECT generate_series(1, 500);
  CREATE TABLE chain.events (id bigserial PRIMARY KEY, object_id bigint, body text);
  CREATE TABLE chain.outbox (event_id bigint PRIMARY KEY);
  CREATE TABLE chain.deliveries (id bigserial PRIMARY KEY, event_id bigint, state text);
  CREATE INDEX ON chain.deliveries (event_id);
  CREATE TABLE chain.attempts (id bigserial PRIMARY KEY, delivery_id bigint)`;

const readSql = "SELECT id, subject, version FROM chain.objects WHERE id = $1";

const writeSql = `
  WITH updated AS (
    UPDATE chain.objects SET subject = $2, version = version + 1 WHERE id = $1 RETURNING id),
  written AS (
    INSERT INTO chain.events (object_id, body) SELECT id, $3 FROM updated RETURNING id)
  INSERT INTO chain.outbox (event_id) SELECT id FROM written`;

/** The bound saves a scan of the rows that are deleted but not yet vacuumed. */
const fanOutSql = `
  WITH taken AS (DELETE FROM chain.outbox WHERE event_id > $1 RETURNING event_id)
  INSERT INTO chain.deliveries (event_id, state)
  SELECT event_id, 'sending' FROM taken
  RETURNING id, event_id, (SELECT body FROM chain.events e WHERE e.id = event_id) AS body`;

const settleSql = `
  WITH settled AS (
    UPDATE chain.deliveries SET state = 'delivered' WHERE id = ANY ($1) RETURNING id)
  INSERT INTO chain.attempts (delivery_id) SELECT id FROM settled`;

/** Writers are few, so ids are committed out of order by less than this. */
const overlap = 500;

type Delivery = { id: string; event_id: string; body: string };

const planForIndexes = "-c enable_seqscan=off -c plan_cache_mode=force_generic_plan";

function openDatabase({ databaseUrl }: Servers): pg.Pool {
  return new pg.Pool({ connectionString: databaseUrl, max: 10, options: planForIndexes });
}

function openRedis({ redisUrl }: Servers): Redis {
  return new Redis(redisUrl, { maxRetriesPerRequest: null });
}

/** In a schema of their own. */
async function createTables(servers: Servers): Promise<void> {
  const database = openDatabase(servers);
  await database.query(tablesSql);
  await database.end();
}

async function textOf(request: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}

/** Serves `PATCH /<id>` with a JSON object. Returns its port. */
async function web(servers: Servers): Promise<number> {
  const [database, redis] = [openDatabase(servers), openRedis(servers)];
  const change = async (request: http.IncomingMessage): Promise<string> => {
    const id = Number(request.url?.slice(1));
    const { subject } = JSON.parse(await textOf(request)) as { subject: string };
    const read = await database.query({ name: "read", text: readSql, values: [id] });
    const body = JSON.stringify({ ...read.rows[0], subject });
    await database.query({ name: "write", text: writeSql, values: [id, subject, body] });
    void redis.publish(channel, "");
    return body;
  };
  const server = http.createServer((request, response) => {
    change(request).then(
      (body) => response.writeHead(200, { "Content-Type": "application/json" }).end(body),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** Fans out whenever it is woken, one batch at a time. */
async function relay(servers: Servers): Promise<void> {
  const [database, subscriber] = [openDatabase(servers), openRedis(servers)];
  const queue = new Queue(queueName, { connection: openRedis(servers), prefix });
  let newest = 0;
  let [isBusy, isWoken] = [false, false];
  const fanOut = async (): Promise<void> => {
    const values = [newest - overlap];
    const { rows } = await database.query<Delivery>({ name: "fan-out", text: fanOutSql, values });
    newest = Math.max(newest, ...rows.map((row) => Number(row.event_id)));
    if (rows.length > 0) {
      await queue.add("deliver", rows, { removeOnComplete: true });
    }
  };
  const wake = async (): Promise<void> => {
    isWoken = true;
    while (isWoken && !isBusy) {
      [isBusy, isWoken] = [true, false];
      await fanOut();
      isBusy = false;
    }
  };
  subscriber.on("message", () => void wake());
  await subscriber.subscribe(channel);
}

function post(agent: http.Agent, url: string, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { "Content-Type": "application/json", "Content-Length": body.length };
    const request = http.request(url, { method: "POST", agent, headers }, (response) => {
      response.resume();
      response.once("end", resolve);
    });
    request.once("error", reject);
    request.end(body);
  });
}

async function worker({ receiverUrl, ...servers }: Servers & { receiverUrl: string }) {
  const database = openDatabase(servers);
  const agent = new http.Agent({ keepAlive: true, scheduling: "lifo" });
  const deliver = async ({ data }: { data: Delivery[] }): Promise<void> => {
    await Promise.all(data.map(({ body }) => post(agent, receiverUrl, body)));
    const values = [data.map(({ id }) => id)];
    await database.query({ name: "settle", text: settleSql, values });
  };
  const jobs = new Worker(queueName, deliver, {
    ...{ connection: openRedis(servers), prefix, concurrency: 100 },
  });
  await jobs.waitUntilReady();
}

const commands = { createTables, web, relay, worker };

export type ChainCommands = typeof commands;
serveCommands(commands);
