/** Sizes and selection of the measurements. */
export type Plan = Readonly<{
  isQuick: boolean;
  parts: readonly Part[];
  /** Folder for CPU profiles of the delivery and the web process, if requested. */
  profileDir: string | undefined;
  rounds: number;
  warmUpEvents: number;
  drainEvents: number;
  loopMs: number;
  sustainSeconds: number;
  latencySeconds: number;
  idleSeconds: number;
  apiSeconds: number;
  listTickets: number;
  listDays: number;
  listRounds: number;
  logDeliveries: number;
  logRounds: number;
  liveDeliveries: number;
  openDeliveries: number;
  livePerSecond: number;
  liveSeconds: number;
  postgresDrainEvents: number;
  claimRounds: number;
  claims: number;
  isolationSeconds: number;
  outageBacklog: number;
  rooms: number;
  roomSeconds: number;
  calls: number;
  outageRounds: number;
}>;

const defaultParts = ["throughput", "latency", "postgres", "api", "lists", "claim"] as const;
const longParts = [
  "statements",
  "isolation",
  "outage",
  "delivery-log",
  "live",
  "rooms",
  "calls",
] as const;
const partNames = [...defaultParts, ...longParts] as const;
export type Part = (typeof partNames)[number];

const full = {
  rounds: 3,
  warmUpEvents: 4_000,
  drainEvents: 15_000,
  loopMs: 3_000,
  sustainSeconds: 12,
  latencySeconds: 20,
  idleSeconds: 10,
  apiSeconds: 10,
  listTickets: 100_000,
  listDays: 365,
  listRounds: 60,
  logDeliveries: 10_000_000,
  logRounds: 20,
  liveDeliveries: 1_000_000,
  openDeliveries: 1_000_000,
  livePerSecond: 2_000,
  liveSeconds: 15,
  postgresDrainEvents: 6_000,
  claimRounds: 3,
  claims: 2_000,
  isolationSeconds: 30,
  outageBacklog: 100_000,
  rooms: 500,
  roomSeconds: 60,
  calls: 20,
  outageRounds: 3,
};

const quick = {
  rounds: 1,
  warmUpEvents: 1_500,
  drainEvents: 5_000,
  loopMs: 1_500,
  sustainSeconds: 4,
  latencySeconds: 4,
  idleSeconds: 2,
  apiSeconds: 3,
  listTickets: 20_000,
  listDays: 73,
  listRounds: 20,
  logDeliveries: 500_000,
  logRounds: 10,
  liveDeliveries: 100_000,
  openDeliveries: 50_000,
  livePerSecond: 2_000,
  liveSeconds: 10,
  postgresDrainEvents: 1_000,
  claimRounds: 1,
  claims: 1_000,
  isolationSeconds: 10,
  outageBacklog: 30_000,
  rooms: 100,
  roomSeconds: 15,
  calls: 3,
  outageRounds: 1,
};

const usage = `npm run bench -- [--quick] [--only=${partNames.join(",")}] [--profile=<folder>]`;

function isPart(name: string): name is Part {
  return (partNames as readonly string[]).includes(name);
}

function partsOf(list: string | undefined): Part[] {
  const names = list?.split(",") ?? defaultParts;
  const unknown = names.find((name) => !isPart(name));
  if (unknown !== undefined) {
    throw new Error(`No part "${unknown}". ${usage}`);
  }
  return names.filter(isPart);
}

export function planOf(args: readonly string[]): Plan {
  const options = new Map(
    args.map((arg) => arg.split("=", 2) as [name: string, value: string | undefined]),
  );
  const unknown = [...options.keys()].find((n) => !["--quick", "--only", "--profile"].includes(n));
  if (unknown !== undefined) {
    throw new Error(`No option ${unknown}. ${usage}`);
  }
  const isQuick = options.has("--quick");
  return {
    ...(isQuick ? quick : full),
    isQuick,
    parts: partsOf(options.get("--only")),
    profileDir: options.get("--profile"),
  };
}
