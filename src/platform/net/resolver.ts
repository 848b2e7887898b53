import { promises as dns, type LookupAddress } from "node:dns";

/**
 * Names to addresses, bounded in time, remembered for a while. `dns.lookup` and not c-ares, so that
 * names mean here what they mean to every other program of the host (hosts file, search domains).
 * The price: each running lookup holds one of libuv's few threads, which files and password hashes
 * need too. Hence the slots: a name that was slow once waits for the single slow slot, and a name
 * that is being asked for is never asked for twice.
 */
export type Resolver = {
  /** Rejects with `DnsError`, after `timeoutMs` at the latest once the lookup runs. */
  resolve(hostname: string): Promise<readonly LookupAddress[]>;
};

export type LookupAll = (hostname: string) => Promise<readonly LookupAddress[]>;

export type ResolverOptions = {
  lookup?: LookupAll;
  timeoutMs?: number;
  /** How long an answer is used as it is. */
  freshMs?: number;
  /** How long, after that, it is still used while a new one is fetched. */
  staleMs?: number;
  /** Lookups at once; one more may run for names known to be slow. */
  maxRunning?: number;
  nowMs?: () => number;
};

export class DnsError extends Error {
  readonly code: string;
  constructor(code: string, options?: ErrorOptions) {
    super(`The name could not be resolved (${code})`, options);
    this.name = "DnsError";
    this.code = code;
  }
}

type Settle = {
  resolve: (addresses: readonly LookupAddress[]) => void;
  reject: (error: DnsError) => void;
};

type Remembered = { addresses: readonly LookupAddress[]; freshUntil: number; usableUntil: number };

const maxRemembered = 20_000;
const suspicionMs = 600_000;

const systemLookup: LookupAll = (hostname) => dns.lookup(hostname, { all: true });

/** Lets `slots` tasks run at once; the others wait in their order. */
const createGate = (slots: number) => {
  const waiting: (() => void)[] = [];
  let free = slots;
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (free > 0) {
      free -= 1;
    } else {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
    }
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) {
        free += 1;
      } else {
        next();
      }
    }
  };
};

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : "EAI_FAIL";

/** A map that forgets everything at once when it is full: bounded, and cheap where it matters. */
const createMemory = <T>() => {
  const values = new Map<string, T>();
  return {
    get: (name: string): T | undefined => values.get(name),
    delete: (name: string): boolean => values.delete(name),
    set: (name: string, value: T): void => {
      if (values.size >= maxRemembered) {
        values.clear();
      }
      values.set(name, value);
    },
  };
};

export const createResolver = (options: ResolverOptions = {}): Resolver => {
  const { lookup = systemLookup, timeoutMs = 3_000, freshMs = 30_000, staleMs = 300_000 } = options;
  const { maxRunning = 3, nowMs = () => performance.now() } = options;
  const remembered = createMemory<Remembered>();
  const suspects = createMemory<number>();
  const asked = new Map<string, Promise<readonly LookupAddress[]>>();
  const fastGate = createGate(maxRunning);
  const slowGate = createGate(1);

  const remember = (hostname: string, addresses: readonly LookupAddress[]): void => {
    const freshUntil = nowMs() + freshMs;
    remembered.set(hostname, { addresses, freshUntil, usableUntil: freshUntil + staleMs });
  };

  /** The slot is kept until the lookup really ends: until then it holds its thread. */
  const run = async (hostname: string, settle: Settle): Promise<void> => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      suspects.set(hostname, nowMs() + suspicionMs);
      settle.reject(new DnsError("EDNSTIMEOUT"));
    }, timeoutMs);
    try {
      const addresses = await lookup(hostname);
      remember(hostname, addresses);
      if (!isLate) {
        suspects.delete(hostname);
      }
      settle.resolve(addresses);
    } catch (error) {
      settle.reject(new DnsError(codeOf(error), { cause: error }));
    } finally {
      clearTimeout(timer);
      asked.delete(hostname);
    }
  };

  /** Joins the lookup that is under way; one that is late already has failed for its joiners too. */
  const ask = (hostname: string): Promise<readonly LookupAddress[]> => {
    const underWay = asked.get(hostname);
    if (underWay !== undefined) {
      return underWay;
    }
    const gate = (suspects.get(hostname) ?? 0) > nowMs() ? slowGate : fastGate;
    const answer = new Promise<readonly LookupAddress[]>((resolve, reject) => {
      void gate(() => run(hostname, { resolve, reject }));
    });
    asked.set(hostname, answer);
    answer.catch(() => undefined); // a refresh has nobody who waits for it
    return answer;
  };

  return {
    resolve: async (hostname) => {
      const known = remembered.get(hostname);
      const now = nowMs();
      if (known === undefined || known.usableUntil <= now) {
        return ask(hostname);
      }
      if (known.freshUntil <= now) {
        void ask(hostname).catch(() => undefined);
      }
      return known.addresses;
    },
  };
};
