import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { sleep } from "../../platform/concurrency/async.ts";
import { toError } from "../../platform/errors.ts";
import { localOrigin } from "../../platform/net/local-origin.ts";

/** One line of a Procfile. */
export type ProcessType = { name: string; command: string };

/** One process to run; `label` is unique, for instance `web.2`. */
export type Instance = {
  label: string;
  type: string;
  command: string;
  env: Readonly<Record<string, string>>;
  /** Where it will listen, without ports that the system chooses. */
  listens: readonly ListenAddress[];
};

type ListenAddress = Readonly<{ host: string; port: number }>;

/** All errors of a Procfile or a formation, one sentence each. */
export class FormationError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(faults.join("; "));
    this.name = "FormationError";
    this.faults = faults;
  }
}

/** Two process types have a meaning: `release` runs first, `web` gets PORT. */
export const releaseType = "release";

export const webType = "web";

export type BasePorts = Readonly<{
  port: number;
  metricsPort: number;
  /** Where web processes listen. */
  host: string;
  /** Where the others serve their metrics. */
  metricsHost: string;
  /** Undefined if HL7 over MLLP is off. */
  mllp: ListenAddress | undefined;
}>;

/** Parses `name: command` lines, blank lines and comments; keeps the order. */
export function parseProcfile(text: string): ProcessType[] {
  const types: ProcessType[] = [];
  const faults: string[] = [];
  for (const [index, raw] of text.split("\n").entries()) {
    const line = raw.trim();
    const [, name, command] = /^([A-Za-z][\w-]*):\s*(\S.*)$/u.exec(line) ?? [];
    if (name !== undefined && command !== undefined) {
      if (types.some((type) => type.name === name)) {
        faults.push(`Procfile line ${index + 1} repeats the name ${name}`);
      }
      types.push({ name, command });
    } else if (line !== "" && !line.startsWith("#")) {
      faults.push(`Procfile line ${index + 1} is not "name: command"`);
    }
  }
  throwFaults(faults);
  return types;
}

const maxInstances = 100;

/** Parses `web=2,delivery=4`. Other types run once; `=0` omits a type. */
export function parseFormation(
  text: string,
  types: readonly ProcessType[],
): ReadonlyMap<string, number> {
  const counts = new Map(types.map(({ name }) => [name, 1]));
  const faults: string[] = [];
  for (const part of text.split(",").filter((each) => each.trim() !== "")) {
    const [, name = "", digits] = /^\s*([\w-]+)=(\d{1,3})\s*$/u.exec(part) ?? [];
    const count = Number(digits ?? Number.NaN);
    const limit = name === releaseType ? 1 : maxInstances;
    if (!(count <= limit)) {
      faults.push(`"${part.trim()}" is not name=count with a count from 0 to ${limit}`);
    } else if (!counts.has(name)) {
      faults.push(`The Procfile has no process "${name}"; it has ${[...counts.keys()].join(", ")}`);
    } else {
      counts.set(name, count);
    }
  }
  throwFaults(faults);
  return counts;
}

/**
 * Plans the processes to run. The n-th process of a type gets PORT = base + n - 1 (only `web` listens
 * there). Processes other than `web` serve metrics on METRICS_PORT, which counts up from its base
 * through all of them, in the order of the Procfile. Only the first web process listens on MLLP_PORT.
 */
export function planInstances(
  types: readonly ProcessType[],
  counts: ReadonlyMap<string, number>,
  base: BasePorts,
): Instance[] {
  const instances: Instance[] = [];
  let metricsIndex = 0;
  for (const type of types) {
    for (let index = 0; index < (counts.get(type.name) ?? 0); index += 1) {
      instances.push(planInstance({ type, index, metricsIndex }, base));
      metricsIndex += hasMetricsPort(type) ? 1 : 0;
    }
  }
  throwFaults(portFaults(instances));
  return instances;
}

type Position = { type: ProcessType; index: number; metricsIndex: number };

function planInstance({ type, index, metricsIndex }: Position, base: BasePorts): Instance {
  const isWeb = type.name === webType;
  const port = nth(base.port, index);
  const metricsPort = nth(base.metricsPort, metricsIndex);
  const mllp = isWeb && index === 0 ? base.mllp : undefined;
  const listens = [
    ...(isWeb ? [{ host: base.host, port }] : []),
    ...(hasMetricsPort(type) ? [{ host: base.metricsHost, port: metricsPort }] : []),
    ...(mllp === undefined ? [] : [mllp]),
  ];
  return {
    label: `${type.name}.${index + 1}`,
    type: type.name,
    command: type.command,
    env: {
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      ...(base.mllp === undefined ? {} : { MLLP_PORT: String(mllp?.port ?? 0) }),
    },
    listens: listens.filter((address) => address.port !== 0),
  };
}

/** Port 0 lets the system choose a port for each process. */
function nth(base: number, index: number): number {
  return base === 0 ? 0 : base + index;
}

function hasMetricsPort({ name }: ProcessType): boolean {
  return name !== webType && name !== releaseType;
}

function throwFaults(faults: readonly string[]): void {
  if (faults.length > 0) {
    throw new FormationError(faults);
  }
}

const maxPort = 65_535;

/** A port used twice, or out of range, would fail at every restart. */
function portFaults(instances: readonly Instance[]): string[] {
  const owners = new Map<number, string>();
  const faults: string[] = [];
  for (const { label, listens } of instances) {
    for (const { port } of listens) {
      const owner = owners.get(port);
      if (owner !== undefined) {
        faults.push(
          `${owner} and ${label} would both listen on port ${port}: set PORT, METRICS_PORT or MLLP_PORT so that they differ`,
        );
      }
      if (port > maxPort) {
        faults.push(`${label} would listen on port ${port}: the highest is ${maxPort}`);
      }
      owners.set(port, label);
    }
  }
  return faults;
}

/**
 * In: where the processes will listen. Out: the ports that stay taken.
 * Guarantee: waits for processes of a killed runner while they stop, and reports any other holder
 * of a port soon. So release never runs while an older version still serves.
 */
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
    const response = await fetch(`${localOrigin(address)}/readyz`, {
      signal: AbortSignal.timeout(readyzTimeoutMs),
    });
    const body = (await response.json()) as { status?: unknown } | null;
    return body?.status === "stopping";
  } catch (thrown) {
    // It ended or closed the connection while stopping: the next poll will tell.
    const { code } = (toError(thrown).cause ?? {}) as { code?: unknown };
    return code === "ECONNREFUSED" || code === "ECONNRESET" || code === "UND_ERR_SOCKET";
  }
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
