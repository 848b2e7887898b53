/**
 * In: where the processes will listen. Out: what of it is taken, and stays so.
 * Guarantee: processes of a runner that was killed are waited for while they stop; whatever else
 * holds a port is named soon. So release never runs while an older version still serves.
 */
import { createServer } from "node:net";
import { toError } from "../../platform/errors.ts";
import { sleep } from "../../platform/concurrency/sleep.ts";
import type { ListenAddress, Instance } from "./formation.ts";
import { randomInt } from "node:crypto";

export type TakenPort = Readonly<{ label: string; address: ListenAddress }>;

export type PortWaitOptions = Readonly<{
  instances: readonly Instance[];
  /** How long a process of ours may take to stop. */
  stopWithinMs: number;
  /** How long one may take to hear that its runner is gone. */
  hearWithinMs?: number;
  /** Called once, where there is something to wait for. */
  onWait: (taken: readonly TakenPort[]) => void;
  signal: AbortSignal;
}>;

const pollMs = 200;

/** Resolves with nothing as soon as every port is free, else with those that stay taken. */
export async function waitForPorts(options: PortWaitOptions): Promise<TakenPort[]> {
  const { instances, stopWithinMs, hearWithinMs = 2_000, onWait, signal } = options;
  const startedAt = performance.now();
  let isAnnounced = false;
  for (;;) {
    const taken = await findTaken(instances);
    if (taken.length === 0 || signal.aborted) {
      return [];
    }
    const stopping = await Promise.all(taken.map(({ address }) => isStopping(address)));
    const withinMs = stopping.includes(true) ? stopWithinMs : hearWithinMs;
    if (performance.now() - startedAt > withinMs) {
      return taken;
    }
    if (!isAnnounced) {
      onWait(taken);
      isAnnounced = true;
    }
    await sleep(pollMs, signal);
  }
}

async function findTaken(instances: readonly Instance[]): Promise<TakenPort[]> {
  const wanted = instances.flatMap(({ label, listens }) =>
    listens.map((address) => ({ label, address })),
  );
  const free = await Promise.all(wanted.map(({ address }) => isFree(address)));
  return wanted.filter((_, index) => free[index] === false);
}

/** Whether something can listen there now. What else is wrong with an address comes out later. */
function isFree({ host, port }: ListenAddress): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => {
      resolve((error as NodeJS.ErrnoException).code !== "EADDRINUSE");
    });
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}

const answerWithinMs = 2_000;

/** Whether it is a process of ours that stops, and so will be gone. */
async function isStopping(address: ListenAddress): Promise<boolean> {
  try {
    const answer = await fetch(urlOf(address), { signal: AbortSignal.timeout(answerWithinMs) });
    const body = (await answer.json()) as { status?: unknown } | null;
    return body?.status === "stopping";
  } catch (thrown) {
    // Gone since we looked, or cut off while it stops: looking again will tell.
    const { code } = (toError(thrown).cause ?? {}) as { code?: unknown };
    return code === "ECONNREFUSED" || code === "ECONNRESET" || code === "UND_ERR_SOCKET";
  }
}

function urlOf({ host, port }: ListenAddress): string {
  const local = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${local.includes(":") ? `[${local}]` : local}:${port}/readyz`;
}

/**
 * A port nobody listens on, below the range that systems hand out by themselves: in that range a
 * client that retries while the server is down can, by bad luck, connect to itself and keep it.
 */
export async function findFreePort(
  host = "127.0.0.1",
  [from, to]: readonly [number, number] = [12_000, 32_000],
): Promise<number> {
  for (let i = 0; i < 100; i += 1) {
    const port = randomInt(from, to);
    if (await canBind(port, host)) {
      return port;
    }
  }
  throw new Error(`No free port between ${from} and ${to} on ${host}`);
}

async function canBind(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => {
      server.close(() => resolve(true));
    });
  });
}
