/**
 * Connections that nobody has signed in on yet: so many of a network and in all, each for so long.
 * They are cut and not closed: a client that never answers a close frame would hold on to its
 * connection for another half a minute.
 */
import type { IncomingMessage } from "node:http";
import { clientNetwork, networkBlock } from "../platform/net/client-network.ts";

export type ConnectionLimiter = Readonly<{
  /** Takes a connection in that asks to be upgraded. False where it must be refused. */
  begin(request: IncomingMessage): boolean;
  /** Somebody has signed in on the connection that this request opened: it counts no more. */
  admit(request: IncomingMessage): void;
  /** How many wait. */
  waiting(): number;
}>;

export type ConnectionLimiterDeps = Readonly<{
  waitMs: number;
  /** Whether a proxy in front says in `X-Forwarded-For` who calls. */
  trustProxy: boolean;
  perNetwork?: number;
  inAll?: number;
}>;

/** After a restart all pages of an office come back at once, each within a fraction of a second. */
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
        admit(victim); // at once: its `close` comes later
        victim.socket.destroy();
      }
      track(request, network);
      return true;
    },
  };
}

/** The network that a request came from: behind a proxy, by the last address that it added. */
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
 * The one that has waited longest in the block of networks that has most: a flood displaces itself,
 * also where it comes from as many networks as a block has.
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

/** How often somebody may try to sign in on one connection. */

/** A socket that is not let in yet. */
export type SigningIn = Readonly<{ conn: Readonly<{ close(): unknown }> }>;

/** Sign-ins on one connection: a page of ours has one for each of its sockets. */
const maxSignIns = 4;
const signInCounts = new WeakMap<object, number>();

/** Counts a sign-in, and ends the connection where it has too many of them. */
export function maySignIn({ conn }: SigningIn): boolean {
  const count = (signInCounts.get(conn) ?? 0) + 1;
  signInCounts.set(conn, count);
  if (count > maxSignIns) {
    conn.close();
  }
  return count <= maxSignIns;
}
