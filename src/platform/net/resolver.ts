import { promises as dns, type LookupAddress } from "node:dns";
import { createDnsPool, type DnsPool, type DnsSlot } from "../concurrency/dns-pool.ts";

/**
 * Names to addresses, bounded in time, remembered for a while. `dns.lookup` and not c-ares, so that
 * names mean here what they mean to every other program of the host (hosts file, search domains).
 * The price: each running lookup holds one of libuv's threads until it ends, and files and password
 * hashes need those too. Hence the lanes. Nobody waits long behind a slow name: after `lateMs` its
 * slot goes to the next one, and one domain has two of the slots at most. A name that was slow, and
 * every unproven name beside it, goes to the slow lane with its single slot. With the defaults that
 * is 14 threads at the very most, of the 16 that every process is started with.
 */
export type Resolver = {
  /** Rejects with `DnsError`, after `timeoutMs` at the latest, waiting included. */
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
  /** So long a lookup holds up others. */
  lateMs?: number;
  /** Lookups at once that are not late; one more may run for names known to be slow. */
  maxRunning?: number;
  /** Late lookups that nobody waits for any more. */
  maxLate?: number;
  /** Names that wait for their lookup; further ones fail at once. */
  maxWaiting?: number;
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

const systemLookup: LookupAll = (hostname) => dns.lookup(hostname, { all: true });

type LookupDeps = {
  lookup: LookupAll;
  timeoutMs: number;
  lateMs: number;
  pools: { fast: DnsPool; slow: DnsPool };
  suspicion: ReturnType<typeof createSlowNames>;
  isProven: (hostname: string) => boolean;
  onAnswer: (hostname: string, addresses: readonly LookupAddress[]) => void;
};

type CachedAnswer = {
  addresses: readonly LookupAddress[];
  freshUntil: number;
  usableUntil: number;
};

const perDomain = 2;

const defaults = {
  lookup: systemLookup,
  timeoutMs: 3_000,
  freshMs: 30_000,
  staleMs: 300_000,
  lateMs: 100,
  maxRunning: 3,
  maxLate: 10,
  maxWaiting: 500,
  nowMs: () => performance.now(),
};

export function createResolver(options: ResolverOptions = {}): Resolver {
  const settings = { ...defaults, ...options };
  const { freshMs, staleMs, maxRunning, maxLate, maxWaiting, nowMs } = settings;
  const remembered = createBoundedMap<CachedAnswer>();
  const ask = createLookup({
    ...settings,
    pools: {
      fast: createDnsPool({ slots: maxRunning, maxLate, perGroup: perDomain, maxWaiting }),
      slow: createDnsPool({ slots: 1, maxLate: 0, perGroup: 1, maxWaiting }),
    },
    suspicion: createSlowNames(nowMs),
    isProven: (hostname) => remembered.get(hostname) !== undefined,
    onAnswer: (hostname, addresses) => {
      const freshUntil = nowMs() + freshMs;
      remembered.set(hostname, { addresses, freshUntil, usableUntil: freshUntil + staleMs });
    },
  });
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
}

type LookupSettle = {
  resolve: (addresses: readonly LookupAddress[]) => void;
  reject: (error: DnsError) => void;
};

/** Looks a name up in its turn; a name that is being asked for is never asked for twice. */
function createLookup(deps: LookupDeps): Resolver["resolve"] {
  const { timeoutMs, suspicion } = deps;
  const asked = new Map<string, Promise<readonly LookupAddress[]>>();

  const run = async (hostname: string, turn: DnsSlot, settle: LookupSettle): Promise<void> => {
    let isTooLate = false;
    const lateTimer = setTimeout(turn.markLate, deps.lateMs);
    const suspicionTimer = setTimeout(() => {
      isTooLate = true;
      suspicion.add(hostname);
    }, timeoutMs);
    try {
      const addresses = await deps.lookup(hostname);
      deps.onAnswer(hostname, addresses);
      if (!isTooLate) {
        suspicion.clear(hostname);
      }
      settle.resolve(addresses);
    } catch (error) {
      settle.reject(new DnsError(codeOf(error), { cause: error }));
    }
    clearTimeout(lateTimer);
    clearTimeout(suspicionTimer);
    asked.delete(hostname);
    turn.release();
  };

  /** Waits for a turn and the answer, `timeoutMs` in all. What runs by then runs on unwatched. */
  const start = (hostname: string, settle: LookupSettle): void => {
    const forget = (code: string): void => {
      asked.delete(hostname);
      settle.reject(new DnsError(code));
    };
    let isRunning = false;
    const giveUp = poolOf(deps, hostname).acquire(domainOf(hostname), (turn) => {
      isRunning = true;
      void run(hostname, turn, settle).finally(() => clearTimeout(timer));
    });
    if (giveUp === undefined) {
      queueMicrotask(() => forget("EAI_AGAIN"));
      return;
    }
    const timer = setTimeout(() => {
      if (isRunning) {
        settle.reject(new DnsError("EDNSTIMEOUT"));
      } else {
        giveUp();
        forget("EDNSTIMEOUT");
      }
    }, timeoutMs);
  };

  /** Joins the lookup that is under way; one that is late already has failed for its joiners too. */
  return (hostname) => {
    const underWay = asked.get(hostname);
    if (underWay !== undefined) {
      return underWay;
    }
    const answer = new Promise<readonly LookupAddress[]>((resolve, reject) => {
      start(hostname, { resolve, reject });
    });
    asked.set(hostname, answer);
    answer.catch(() => undefined); // a refresh has nobody who waits for it
    return answer;
  };
}

function codeOf(error: unknown): string {
  return typeof error === "object" &&
    error !== null &&
    "code" in error &&
    typeof error.code === "string"
    ? error.code
    : "EAI_FAIL";
}

function poolOf({ pools, suspicion, isProven }: LookupDeps, hostname: string): DnsPool {
  const isUnproven = !isProven(hostname);
  const isSuspect = suspicion.isName(hostname) || (isUnproven && suspicion.isDomain(hostname));
  return isSuspect ? pools.slow : pools.fast;
}

const suspicionMs = 600_000;

/** Which names were too slow lately. A slow name speaks against its domain, a quick one not for it. */
function createSlowNames(nowMs: () => number) {
  const names = createBoundedMap<number>();
  const domains = createBoundedMap<number>();
  const isRecent = (until: number | undefined): boolean => (until ?? 0) > nowMs();
  return {
    add: (hostname: string): void => {
      names.set(hostname, nowMs() + suspicionMs);
      domains.set(domainOf(hostname), nowMs() + suspicionMs);
    },
    clear: (hostname: string): void => void names.delete(hostname),
    isName: (hostname: string): boolean => isRecent(names.get(hostname)),
    isDomain: (hostname: string): boolean => isRecent(domains.get(domainOf(hostname))),
  };
}

const maxRemembered = 20_000;

/** A map that forgets everything at once when it is full: bounded, and cheap where it matters. */
function createBoundedMap<T>() {
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
}

/** `co.uk` and its like, where the names of others begin one label further down. */
const sharedEnding = /^(?:ac|co|com|edu|go|gob|gov|gv|mil|ne|net|or|org)\.[a-z]{2}$/u;

/** The domain that one owner has, roughly: no list of public suffixes is worth it here. */
export function domainOf(hostname: string): string {
  const labels = hostname.toLowerCase().replace(/\.$/u, "").split(".");
  const domain = labels.slice(-2).join(".");
  return sharedEnding.test(domain) ? labels.slice(-3).join(".") : domain;
}
