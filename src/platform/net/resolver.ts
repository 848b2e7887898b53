import { promises as dns, type LookupAddress } from "node:dns";
import { createDnsPool, type DnsPool, type DnsSlot } from "../concurrency/bulkhead.ts";

/**
 * Resolves names with a time-out and a cache. Uses `dns.lookup`, not c-ares, so that names mean the
 * same as to every other program of the host (hosts file, search domains). Each running lookup
 * occupies one of libuv's threads, which files and password hashes need too; hence the pools. A slow
 * name delays others only for `lateMs`: then its slot goes to the next one, and a domain gets at most
 * two slots. A name that was slow, and every unproven name of its domain, goes to the slow pool with
 * its single slot. With the defaults at most 14 threads are busy, of the 16 that a process has.
 */
export type Resolver = {
  /** Rejects with `DnsError`, after `timeoutMs` at the latest, waiting included. */
  resolve(hostname: string): Promise<readonly LookupAddress[]>;
};

export type LookupAll = (hostname: string) => Promise<readonly LookupAddress[]>;

export type ResolverOptions = {
  lookup?: LookupAll;
  timeoutMs?: number;
  /** How long an answer is fresh. */
  freshMs?: number;
  /** How long after that a stale answer is used while a new one is fetched. */
  staleMs?: number;
  /** After this time a lookup no longer delays others. */
  lateMs?: number;
  /** Concurrent lookups that are not late; one more may run for names known to be slow. */
  maxRunning?: number;
  /** Late lookups whose slots are given to others. */
  maxLate?: number;
  /** Maximum number of waiting names; further ones fail at once. */
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

function systemLookup(hostname: string): Promise<LookupAddress[]> {
  return dns.lookup(hostname, { all: true });
}

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
  const lookUp = createLookup({
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
        return lookUp(hostname);
      }
      if (known.freshUntil <= now) {
        void lookUp(hostname).catch(() => undefined);
      }
      return known.addresses;
    },
  };
}

type LookupSettle = {
  resolve: (addresses: readonly LookupAddress[]) => void;
  reject: (error: DnsError) => void;
};

/** Looks a name up when a slot is free; concurrent calls for a name share one lookup. */
function createLookup(deps: LookupDeps): Resolver["resolve"] {
  const { timeoutMs, suspicion } = deps;
  const asked = new Map<string, Promise<readonly LookupAddress[]>>();

  const run = async (hostname: string, slot: DnsSlot, settle: LookupSettle): Promise<void> => {
    let isTooLate = false;
    const lateTimer = setTimeout(slot.markLate, deps.lateMs);
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
    slot.release();
  };

  /** Waits for a slot and the answer, `timeoutMs` in total. A running lookup cannot be cancelled. */
  const start = (hostname: string, settle: LookupSettle): void => {
    const forget = (code: string): void => {
      asked.delete(hostname);
      settle.reject(new DnsError(code));
    };
    let isRunning = false;
    const giveUp = poolOf(deps, hostname).acquire(domainOf(hostname), (slot) => {
      isRunning = true;
      void run(hostname, slot, settle).finally(() => clearTimeout(timer));
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

  /** Joins a running lookup; one that is already late fails for its joiners too. */
  return (hostname) => {
    const pending = asked.get(hostname);
    if (pending !== undefined) {
      return pending;
    }
    const answer = new Promise<readonly LookupAddress[]>((resolve, reject) => {
      start(hostname, { resolve, reject });
    });
    asked.set(hostname, answer);
    answer.catch(() => undefined); // a background refresh, which is not awaited
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

/** Recently slow names. A slow name marks its domain; a quick one does not clear the mark. */
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

/** A bounded map that is cleared when it is full: cheaper than an LRU on the hot path. */
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

/** Public suffixes like `co.uk`. */
const sharedEnding = /^(?:ac|co|com|edu|go|gob|gov|gv|mil|ne|net|or|org)\.[a-z]{2}$/u;

/** The registrable domain, approximately: the public suffix list would be disproportionate. */
export function domainOf(hostname: string): string {
  const labels = hostname.toLowerCase().replace(/\.$/u, "").split(".");
  const domain = labels.slice(-2).join(".");
  return sharedEnding.test(domain) ? labels.slice(-3).join(".") : domain;
}
