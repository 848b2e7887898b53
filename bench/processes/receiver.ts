/**
 * A receiver that costs little: reads the body, answers 204, and notes for each event and
 * subscription when and how often it came. `/hook/<subscription>` and a `webhook-id` that ends in
 * the event's number say which one it was; anything else is only counted.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { serveCommands } from "../support/commands.ts";
import { numberOfMessageId } from "../support/events.ts";
import { nowMs } from "../support/statistics.ts";

let subscriptions = 0;
/** By event, then by subscription: when it first came, and how often in all. */
let firstAt = new Float64Array(0);
let times = new Uint8Array(0);
let firstEvent = 0;
let received = 0;

const note = (path: string, id: string): void => {
  received += 1;
  const index = (numberOfMessageId(id) - firstEvent) * subscriptions + Number(path.slice(6));
  const before = times[index];
  if (before === undefined) {
    return;
  }
  times[index] = before + 1;
  if (before === 0) {
    firstAt[index] = nowMs();
  }
};

const server = createServer((request, response) => {
  request.resume();
  request.once("end", () => {
    note(request.url ?? "", String(request.headers["webhook-id"]));
    response.writeHead(204).end();
  });
});
server.keepAliveTimeout = 60_000;

const commands = {
  listen: (): Promise<number> =>
    new Promise((resolve) => {
      server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
    }),
  /** Forgets everything and expects these events. */
  expect: (input: { firstEvent: number; events: number; subscriptions: number }): void => {
    ({ firstEvent, subscriptions } = input);
    firstAt = new Float64Array(input.events * subscriptions);
    times = new Uint8Array(input.events * subscriptions);
    received = 0;
  },
  count: () => ({ received, at: nowMs() }),
  arrivals: () => ({ firstAt, times }),
};

export type ReceiverCommands = typeof commands;
serveCommands(commands);
