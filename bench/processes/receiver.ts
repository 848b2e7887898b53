/**
 * A cheap receiver: reads the body, answers 204, and records when and how often each event arrived
 * per subscription. `/hook/<subscription>` and the number at the end of `webhook-id` identify them;
 * other requests are only counted. `/hook/0/<tenant>` is a separate receiver that can be set to
 * misbehave.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { serveCommands } from "../support/commands.ts";
import { numberOfEventId } from "../support/events.ts";
import { nowMs } from "../support/statistics.ts";

let subscriptions = 0;
/** By event, then by subscription: first arrival, and number of requests. */
let firstAt = new Float64Array(0);
let times = new Uint8Array(0);
let firstEvent = 0;
let received = 0;

function note(path: string, id: string): void {
  received += 1;
  const index =
    (numberOfEventId(id) - firstEvent) * subscriptions + Number.parseInt(path.slice(6), 10);
  const before = times[index];
  if (before === undefined) {
    return;
  }
  times[index] = before + 1;
  if (before === 0) {
    firstAt[index] = nowMs();
  }
}

export type Behavior = "answers" | "hangs" | "fails";

/** Receivers that are recorded or misbehave; all others answer immediately. */
type Tenant = { behavior: Behavior; inFlight: number; mostInFlight: number };
const tenants = new Map<string, Tenant>();

function tenantOf(path: string): Tenant | undefined {
  const mark = path.indexOf("/", 6);
  return mark === -1 ? undefined : tenants.get(path.slice(mark + 1));
}

function watch(tenant: Tenant, response: ServerResponse): void {
  tenant.inFlight += 1;
  tenant.mostInFlight = Math.max(tenant.mostInFlight, tenant.inFlight);
  response.once("close", () => {
    tenant.inFlight -= 1;
  });
}

const server = createServer((request, response) => {
  const path = request.url ?? "";
  const tenant = tenantOf(path);
  if (tenant !== undefined) {
    watch(tenant, response);
  }
  request.resume();
  request.once("end", () => {
    if (tenant === undefined || tenant.behavior === "answers") {
      note(path, String(request.headers["webhook-id"]));
      response.writeHead(204).end();
    } else if (tenant.behavior === "fails") {
      response.writeHead(500).end();
    }
  });
});
server.keepAliveTimeout = 60_000;

const commands = {
  listen: (): Promise<number> =>
    new Promise((resolve) => {
      server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
    }),
  /** Clears the records and expects these events. */
  expect: (input: { firstEvent: number; events: number; subscriptions: number }): void => {
    ({ firstEvent, subscriptions } = input);
    firstAt = new Float64Array(input.events * subscriptions);
    times = new Uint8Array(input.events * subscriptions);
    received = 0;
  },
  count: () => ({ received, at: nowMs() }),
  arrivals: () => ({ firstAt, times }),
  /** Sets how these tenants answer, and starts to record them. */
  behave: (input: { tenants: readonly number[]; behavior: Behavior }): void => {
    for (const number of input.tenants) {
      const { inFlight = 0 } = tenants.get(String(number)) ?? {};
      tenants.set(String(number), { behavior: input.behavior, inFlight, mostInFlight: inFlight });
    }
  },
  mostInFlight: (input: { tenant: number }): number =>
    tenants.get(String(input.tenant))?.mostInFlight ?? 0,
};

export type ReceiverCommands = typeof commands;
serveCommands(commands);
