/**
 * A program for test/pipeline/delivery/request.hidden-classes.test.ts: makes, so many times, the objects that each
 * delivery needs between the outbox and the answer of the receiver.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { shareJobs, toNewJob } from "../../src/contracts/jobs.ts";
import { buildRequestFor } from "../../src/pipeline/delivery/request.ts";
import { createHttpSendClient } from "../../src/pipeline/delivery/send.ts";
import { QueueRequests } from "../../src/pipeline/delivery/slow-requests.ts";
import { planDeliveries } from "../../src/pipeline/ledger/new-deliveries.ts";
import { createAddressGuard } from "../../src/platform/net/address-guard.ts";

const times = Number(process.argv[2]);

const server = createServer((request, response) =>
  request.resume().once("end", () => response.end()),
);
server.listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;
const guard = createAddressGuard({ areLocalReceiversAllowed: true, allowList: [] });
const client = createHttpSendClient({ guard, timeoutMs: 5_000 });

const now = new Date();
const mode = "push" as const;
const kind = { object: "ticket", event: "update" } as const;
const endpoint = {
  revision: 1,
  url: `http://127.0.0.1:${port}/`,
  headers: [{ name: "X-Key", value: "secret" }],
  secrets: [{ secret: `whsec_${Buffer.alloc(32, 7).toString("base64")}`, until: null }],
  retrySchedule: null,
  authOptions: null,
};
const queue = new QueueRequests();

async function deliver(id: number): Promise<void> {
  const content = { eventId: `evt_${id}`, body: "{}" };
  const rest = { enterpriseId: 1, key: `ticket:${id}`, isExpunged: false, content };
  const event = { eventRowId: id, occurredAt: now, ...kind, ...rest };
  const match = { subscriptionId: 1, revision: 1, isOrdered: false, isActive: true, mode };
  planDeliveries([{ event, matches: [match] }], new Map(), [], { free: new Map(), closed: [] });
  const isNew = { event, subscriptionId: 1, revision: 1, sequence: id };
  shareJobs([toNewJob(id, isNew, now), toNewJob(id, isNew, now), toNewJob(id, isNew, null)]);
  const run = queue.begin(id, 0);
  const sent = { sequence: id, attempt: 1, isReplay: false, ...content };
  const result = await client.send(buildRequestFor(endpoint, sent, now).request);
  queue.end(run);
  if (result.kind !== "answered") {
    throw new Error(`The request of ${id} failed`);
  }
}

/** What must be found, so that the test knows that it would find others. */
function badExample(first: { id: number }) {
  return { ...first, badExample: true };
}

for (let id = 1; id <= times; id += 1) {
  badExample({ id });
  await deliver(id);
}
client.close();
server.close();
