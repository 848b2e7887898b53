/**
 * Limits unauthenticated connections per network and in total, each with a deadline.
 * Destroys sockets instead of closing them: a client that ignores the close frame would hold its
 * connection for another 30 s.
 */
import type { IncomingMessage } from "node:http";
import { clientNetwork, networkBlock } from "../platform/net/client-network.ts";

export type ConnectionLimiter = Readonly<{
  /** Registers an upgrade request. False: over the limit, refuse it. */
  begin(request: IncomingMessage): boolean;
  /** The connection is authenticated and no longer counts. */
  admit(request: IncomingMessage): void;
  /** Number of unauthenticated connections. */
  waiting(): number;
}>;

export type ConnectionLimiterDeps = Readonly<{
  waitMs: number;
  /** Whether to trust `X-Forwarded-For` from a reverse proxy. */
  trustProxy: boolean;
  perNetwork?: number;
  inAll?: number;
}>;

/** Sized for a restart, when all pages of an office reconnect at the same time. */
const defaultLimits = { perNetwork: 100, inAll: 1_000 };

export function createConnectionLimiter(deps: ConnectionLimiterDeps): ConnectionLimiter {
  const {
    waitMs,
    trustProxy,
    perNetwork = defaultLimits.perNetwork,
    inAll = defaultLimits.inAll,
  } = deps;
  const networks = new Map<string, Set<IncomingMessage>>();
  const releases = new WeakMap<IncomingMessage, () => void>();
  let all = 0;

  const track = (request: IncomingMessage, network: string): void => {
    const { socket } = request;
    const ofNetwork = networks.get(network) ?? new Set();
    networks.set(network, ofNetwork.add(request));
    all += 1;
    const timer = setTimeout(() => socket.destroy(), waitMs);
    const release = (): void => {
      clearTimeout(timer);
      socket.off("close", release);
      if (ofNetwork.delete(request)) {
        all -= 1;
      }
      if (ofNetwork.size === 0 && networks.get(network) === ofNetwork) {
        networks.delete(network);
      }
    };
    socket.once("close", release);
    releases.set(request, release);
  };

  const admit = (request: IncomingMessage): void => releases.get(request)?.();

  return {
    admit,
    waiting: () => all,
    begin: (request) => {
      const network = networkOf(request.headers, request.socket.remoteAddress, trustProxy);
      if ((networks.get(network)?.size ?? 0) >= perNetwork) {
        return false;
      }
      const victim = all >= inAll ? pickVictim(networks) : undefined;
      if (victim !== undefined) {
        admit(victim); // frees its slot now; `close` fires later
        victim.socket.destroy();
      }
      track(request, network);
      return true;
    },
  };
}

/**
 * The client network. Behind a proxy it is the last `X-Forwarded-For` entry: clients can forge the
 * earlier ones.
 */
export function networkOf(
  headers: IncomingMessage["headers"],
  address: string | undefined,
  trustProxy: boolean,
): string {
  const header = headers["x-forwarded-for"];
  const forwarded = (Array.isArray(header) ? header[0] : header)?.split(",").at(-1)?.trim();
  return clientNetwork(trustProxy ? (forwarded ?? address) : address);
}

/**
 * Evicts the oldest connection of the largest network block, so a flood displaces itself even when
 * it is spread over the networks of one block.
 */
function pickVictim(
  networks: ReadonlyMap<string, ReadonlySet<IncomingMessage>>,
): IncomingMessage | undefined {
  const blocks = new Map<string, IncomingMessage[]>();
  for (const [network, waiting] of networks) {
    const block = networkBlock(network);
    blocks.set(block, [...(blocks.get(block) ?? []), ...waiting]);
  }
  const [largest] = [...blocks.values()].toSorted((a, b) => b.length - a.length);
  return largest?.[0];
}

/** A socket that is not authenticated yet. */
export type SigningIn = Readonly<{ conn: Readonly<{ close(): unknown }> }>;

/** Sign-in attempts per connection. Our pages need one for each namespace. */
const maxSignIns = 4;
const signInCounts = new WeakMap<object, number>();

/** Counts a sign-in attempt. Closes the connection above the limit. */
export function maySignIn({ conn }: SigningIn): boolean {
  const count = (signInCounts.get(conn) ?? 0) + 1;
  signInCounts.set(conn, count);
  if (count > maxSignIns) {
    conn.close();
  }
  return count <= maxSignIns;
}
