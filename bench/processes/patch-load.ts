/** A client of a `PATCH` operation that is also the receiver of what follows from it. */
import http from "node:http";
import type { AddressInfo } from "node:net";
import { sleep } from "../../src/platform/concurrency/async.ts";
import { serveCommands } from "../support/commands.ts";
import { nowMs } from "../support/statistics.ts";

/** `PATCH <url>/<id>`, with the ids in turn. */
export type Target = { url: string; headers: Record<string, string>; ids: readonly number[] };

const agent = new http.Agent({ keepAlive: true, scheduling: "lifo" });

let arrived = 0;
let lastAt = 0;
let onArrival: () => void = () => undefined;

const receiver = http.createServer((request, response) => {
  arrived += 1;
  lastAt = nowMs();
  onArrival();
  request.resume();
  request.once("end", () => response.writeHead(204).end());
});
receiver.keepAliveTimeout = 60_000;

function listen(): Promise<number> {
  return new Promise((resolve) => {
    receiver.listen(0, "127.0.0.1", () => resolve((receiver.address() as AddressInfo).port));
  });
}

let sent = 0;

function patch({ url, headers, ids }: Target): Promise<void> {
  sent += 1;
  const body = JSON.stringify({ subject: `Report ${sent}` });
  return new Promise((resolve, reject) => {
    const options = {
      ...{ method: "PATCH", agent },
      headers: { ...headers, "Content-Type": "application/json", "Content-Length": body.length },
    };
    const request = http.request(`${url}/${ids[sent % ids.length]}`, options, (response) => {
      response.resume();
      response.once("end", () =>
        response.statusCode === 200
          ? resolve()
          : reject(new Error(`PATCH answered ${response.statusCode}`)),
      );
    });
    request.once("error", reject);
    request.end(body);
  });
}

const patienceMs = 20_000;

/** Resolves as soon as so many requests have arrived since the start of this process, and no more. */
function untilArrived(wanted: number): Promise<void> {
  return new Promise((resolve, reject) => {
    if (arrived > wanted) {
      reject(new Error(`${arrived} requests came, not ${wanted}`));
      return;
    }
    const timer = setTimeout(() => {
      reject(new Error(`${arrived} of ${wanted} requests came within ${patienceMs} ms`));
    }, patienceMs);
    onArrival = () => {
      if (arrived >= wanted) {
        clearTimeout(timer);
        resolve();
      }
    };
    onArrival();
  });
}

/** With a fixed number of clients, each of which waits for its answer. */
async function rush(input: { target: Target; count: number; clients: number }): Promise<void> {
  const wanted = arrived + input.count;
  let left = input.count;
  const client = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await patch(input.target);
    }
  };
  await Promise.all(Array.from({ length: input.clients }, client));
  await untilArrived(wanted);
}

/** At fixed times, whatever the system does. */
async function pace(input: { target: Target; count: number; perSecond: number }): Promise<void> {
  const [wanted, startAt] = [arrived + input.count, nowMs()];
  const answers: Promise<void>[] = [];
  for (let i = 0; i < input.count; i += 1) {
    await sleep(Math.max(0, startAt + (i * 1_000) / input.perSecond - nowMs()));
    answers.push(patch(input.target));
  }
  await Promise.all(answers);
  await untilArrived(wanted);
}

export type OneByOne = { answerMs: Float64Array; arrivalMs: Float64Array };

/** The pause lets all processes become idle again. */
async function oneByOne(input: {
  target: Target;
  count: number;
  pauseMs: number;
}): Promise<OneByOne> {
  const answerMs = new Float64Array(input.count);
  const arrivalMs = new Float64Array(input.count);
  for (let i = 0; i < input.count; i += 1) {
    const [wanted, sentAt] = [arrived + 1, nowMs()];
    await patch(input.target);
    answerMs[i] = nowMs() - sentAt;
    await untilArrived(wanted);
    arrivalMs[i] = lastAt - sentAt;
    await sleep(input.pauseMs);
  }
  return { answerMs, arrivalMs };
}

const commands = { listen, rush, pace, oneByOne };

export type PatchLoadCommands = typeof commands;
serveCommands(commands);
