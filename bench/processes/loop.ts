/** The bare loop: POSTs the same bytes repeatedly, and does nothing else. */
import http from "node:http";
import { got } from "got";
import { createHttpSendClient } from "../../src/pipeline/delivery/send.ts";
import type { SendRequest } from "../../src/pipeline/delivery/send-result.ts";
import { createAddressGuard } from "../../src/platform/net/address-guard.ts";
import { sleep } from "../../src/platform/concurrency/async.ts";
import { serveCommands } from "../support/commands.ts";
import { nowMs } from "../support/statistics.ts";

/** Resolves with the status after the whole answer was read. */
type Post = (request: SendRequest) => Promise<number | undefined>;

function platformPost(): Post {
  const { send } = createHttpSendClient({
    guard: createAddressGuard({ areLocalReceiversAllowed: true, allowList: [] }),
    timeoutMs: 15_000,
  });
  return async (request) => {
    const result = await send(request);
    return result.kind === "answered" ? result.status : undefined;
  };
}

function barePost(): Post {
  const agent = new http.Agent({ keepAlive: true, scheduling: "lifo" });
  return ({ url, headers, body }) =>
    new Promise((resolve, reject) => {
      const options = {
        method: "POST",
        agent,
        headers: { ...headers, "Content-Length": body.length },
      };
      const request = http.request(url, options, (response) => {
        response.resume();
        response.once("end", () => resolve(response.statusCode));
      });
      request.once("error", reject);
      request.end(body);
    });
}

function plainGot(): Post {
  const agent = { http: new http.Agent({ keepAlive: true, scheduling: "lifo" }) };
  const client = got.extend({ agent, retry: { limit: 0 }, throwHttpErrors: false });
  return async ({ url, headers, body }) =>
    (await client.post(url, { headers: { ...headers }, body })).statusCode;
}

/** The platform's client, and two without its rules. */
export const posters = {
  platform: platformPost,
  "plain got": plainGot,
  "bare node:http": barePost,
} as const satisfies Record<string, () => Post>;

export type PosterName = keyof typeof posters;

export type LoopInput = {
  client: PosterName;
  request: { url: string; headers: Record<string, string>; body: string };
  concurrency: number;
  warmUpPosts: number;
  measureMs: number;
};

async function run(input: LoopInput): Promise<{ perSecond: number; cpuUsPerPost: number }> {
  const post = posters[input.client]();
  const request = { ...input.request, body: Buffer.from(input.request.body) };
  let isOver = false;
  let count = 0;
  const postRepeatedly = async (): Promise<void> => {
    while (!isOver) {
      const status = await post(request);
      if (status !== 204) {
        throw new Error(`The receiver answered ${status}`);
      }
      count += 1;
    }
  };
  const workers = Promise.all(Array.from({ length: input.concurrency }, postRepeatedly));
  const wait = (ms: number): Promise<unknown> => Promise.race([workers, sleep(ms)]);
  while (count < input.warmUpPosts) {
    await wait(10);
  }
  const [startCount, startAt, startCpu] = [count, nowMs(), process.cpuUsage()];
  await wait(input.measureMs);
  const posts = count - startCount;
  const seconds = (nowMs() - startAt) / 1_000;
  const { user, system } = process.cpuUsage(startCpu);
  isOver = true;
  await workers;
  return { perSecond: posts / seconds, cpuUsPerPost: (user + system) / posts };
}

const commands = { run };

export type LoopCommands = typeof commands;
serveCommands(commands);
