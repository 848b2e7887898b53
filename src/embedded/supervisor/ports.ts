/**
 * In: where the processes will listen. Out: the ports that stay taken.
 * Guarantee: waits for processes of a killed runner while they stop, and reports any other holder
 * of a port soon. So release never runs while an older version still serves.
 */
import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { toError } from "../../platform/errors.ts";
import { sleep } from "../../platform/concurrency/async.ts";
import type { ListenAddress, Instance } from "./formation.ts";

export type TakenPort = Readonly<{ label: string; address: ListenAddress }>;

export type PortWaitOptions = Readonly<{
  instances: readonly Instance[];
  /** How long a process of an earlier runner may take to stop. */
  stopWithinMs: number;
  /** How long it may take to notice that its runner is gone. */
  noticeWithinMs?: number;
  /** Called once, before the first wait. */
  onWait: (taken: readonly TakenPort[]) => void;
  signal: AbortSignal;
}>;

const pollMs = 200;

/** Resolves with an empty list as soon as every port is free, else with the ports that stay taken. */
export async function waitForPorts(options: PortWaitOptions): Promise<TakenPort[]> {
  const { instances, stopWithinMs, noticeWithinMs = 2_000, onWait, signal } = options;
  const startedAt = performance.now();
  let isAnnounced = false;
  for (;;) {
    const taken = await findTaken(instances);
    if (taken.length === 0 || signal.aborted) {
      return [];
    }
    const stopping = await Promise.all(taken.map(({ address }) => isStopping(address)));
    const withinMs = stopping.includes(true) ? stopWithinMs : noticeWithinMs;
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

/** Other errors than a taken port, for instance a wrong host, show when the process listens. */
function isFree({ host, port }: ListenAddress): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => {
      resolve((error as NodeJS.ErrnoException).code !== "EADDRINUSE");
    });
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}

const readyzTimeoutMs = 2_000;

/** Whether a Sightline process that is stopping listens there. */
async function isStopping(address: ListenAddress): Promise<boolean> {
  try {
    const response = await fetch(urlOf(address), { signal: AbortSignal.timeout(readyzTimeoutMs) });
    const body = (await response.json()) as { status?: unknown } | null;
    return body?.status === "stopping";
  } catch (thrown) {
    // It ended or closed the connection while stopping: the next poll will tell.
    const { code } = (toError(thrown).cause ?? {}) as { code?: unknown };
    return code === "ECONNREFUSED" || code === "ECONNRESET" || code === "UND_ERR_SOCKET";
  }
}

function urlOf({ host, port }: ListenAddress): string {
  const local = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${local.includes(":") ? `[${local}]` : local}:${port}/readyz`;
}

/**
 * A free port below the ephemeral range: in that range a client that reconnects while the server is
 * down can connect to itself (TCP simultaneous open) and occupy the port.
 */
export async function findFreePort(
  host = "127.0.0.1",
  [from, to]: readonly [number, number] = [12_000, 32_000],
): Promise<number> {
  for (let i = 0; i < 100; i += 1) {
    const port = randomInt(from, to);
    if (await isFree({ host, port })) {
      return port;
    }
  }
  throw new Error(`No free port between ${from} and ${to} on ${host}`);
}
