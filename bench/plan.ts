/** Sizes and selection of the measurements. */
export type Plan = Readonly<{
  isQuick: boolean;
  parts: readonly Part[];
  /** The command line, to repeat the run. */
  command: string;
  /** Whether the run is appended to `bench/history.json`. */
  isRecorded: boolean;
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
  isolationRounds: number;
  outageBacklog: number;
  rooms: number;
  roomSeconds: number;
  calls: number;
  outageRounds: number;
  /** Ended deliveries in the log, and also waiting ones, for `history-size`. */
  historyRows: number;
  /** More than elsewhere: its ratios are close to 1, and a single round differs by up to 17 %. */
  historyRounds: number;
  soakMinutes: number;
}>;

const defaultParts = ["throughput", "latency", "postgres", "api", "lists", "claim"] as const;
const longParts = [
  "bare-chain",
  "statements",
  "isolation",
  "outage",
  "delivery-log",
  "live",
  "rooms",
  "calls",
  "history-size",
  "soak",
] as const;
export const partNames = [...defaultParts, ...longParts] as const;
export type Part = (typeof partNames)[number];

/** Events per transaction at high rates: a use case writes about this many. */
export const busySize = 4;

/** The low rate: most installations have fewer events. */
export const quietPerSecond = 50;

/** The high rate, as a share of the maximum: queues form at times and must drain again. */
export const busyShare = 0.7;

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
  isolationRounds: 3,
  outageBacklog: 100_000,
  rooms: 500,
  roomSeconds: 60,
  calls: 20,
  outageRounds: 3,
  historyRows: 1_000_000,
  historyRounds: 5,
  soakMinutes: 30,
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
  isolationRounds: 1,
  outageBacklog: 30_000,
  rooms: 100,
  roomSeconds: 15,
  calls: 3,
  outageRounds: 1,
  historyRows: 100_000,
  historyRounds: 1,
  soakMinutes: 2,
};

const usage =
  `npm run bench -- [--quick] [--only=${partNames.join(",")}] [--record] ` +
  "[--rounds=<of isolation>] [--rows=<of history-size>] [--minutes=<of soak>] [--profile=<folder>]";

const optionNames = [
  "--quick",
  "--only",
  "--record",
  "--rounds",
  "--rows",
  "--minutes",
  "--profile",
];

/** Filling takes about a minute per million. */
const mostRows = 10_000_000;

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

function numberOf(text: string | undefined, { usual, most }: { usual: number; most: number }) {
  const number = text === undefined ? usual : Number(text.replaceAll("_", ""));
  if (!(number > 0 && number <= most)) {
    throw new Error(`"${text}" is not between 0 and ${most}. ${usage}`);
  }
  return number;
}

export function planOf(args: readonly string[]): Plan {
  const options = new Map(
    args.map((arg) => arg.split("=", 2) as [name: string, value: string | undefined]),
  );
  const unknown = [...options.keys()].find((name) => !optionNames.includes(name));
  if (unknown !== undefined) {
    throw new Error(`No option ${unknown}. ${usage}`);
  }
  const isQuick = options.has("--quick");
  const sizes = isQuick ? quick : full;
  const { isolationRounds, historyRows, soakMinutes } = sizes;
  return {
    ...sizes,
    isolationRounds: numberOf(options.get("--rounds"), { usual: isolationRounds, most: 99 }),
    historyRows: numberOf(options.get("--rows"), { usual: historyRows, most: mostRows }),
    soakMinutes: numberOf(options.get("--minutes"), { usual: soakMinutes, most: 24 * 60 }),
    isQuick,
    isRecorded: options.has("--record"),
    command: ["npm run bench", ...(args.length > 0 ? ["--", ...args] : [])].join(" "),
    parts: partsOf(options.get("--only")),
    profileDir: options.get("--profile"),
  };
}

/** A short description of the load of a part. Only results of equal loads are compared. */
export function loadOf(plan: Plan, part: Part): string {
  const size = plan.isQuick ? "quick" : "full";
  const own: Partial<Record<Part, string>> = {
    isolation: `, rounds: ${plan.isolationRounds}`,
    "history-size": `, ${plan.historyRows.toLocaleString("en-US")} rows, rounds: ${plan.historyRounds}`,
    soak: `, ${plan.soakMinutes} minutes`,
  };
  return `${size}${own[part] ?? ""}`;
}

/** Assumed duration on two cores, until the history has a run of the same load. */
const usualSeconds: Record<Part, { full: number; quick: number }> = {
  throughput: { full: 110, quick: 30 },
  "bare-chain": { full: 260, quick: 50 },
  latency: { full: 95, quick: 30 },
  postgres: { full: 75, quick: 30 },
  api: { full: 45, quick: 12 },
  lists: { full: 60, quick: 20 },
  claim: { full: 20, quick: 10 },
  statements: { full: 60, quick: 40 },
  "delivery-log": { full: 900, quick: 60 },
  live: { full: 240, quick: 90 },
  isolation: { full: 750, quick: 180 },
  outage: { full: 300, quick: 120 },
  rooms: { full: 240, quick: 90 },
  calls: { full: 340, quick: 220 },
  "history-size": { full: 1_300, quick: 130 },
  soak: { full: 40, quick: 25 },
};

export function estimatedSeconds(plan: Plan, part: Part): number {
  const usual = usualSeconds[part][plan.isQuick ? "quick" : "full"];
  if (part === "isolation") {
    return (usual * plan.isolationRounds) / (plan.isQuick ? quick : full).isolationRounds;
  }
  return part === "soak" ? usual + plan.soakMinutes * 60 : usual;
}
