/**
 * A network between two pages and the platform that can fail: a TCP proxy for HTTP and signalling,
 * and a UDP relay for media. While disconnected, it drops all data but closes no connection, like a
 * phone that loses reception.
 */
import { createSocket, type RemoteInfo, type Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { networkInterfaces } from "node:os";

export type Side = "agent" | "customer";

export type LossyNetwork = Readonly<{
  /** Port of the TCP proxy. */
  port: number;
  /** The address to which a page of this side sends instead of the candidate `target`. */
  relayFor(side: Side, target: Endpoint): Promise<Endpoint>;
  disconnect(): void;
  restore(): void;
  /** Limits the uplink of the customer's page, in kbit/s. */
  limitUplink(kilobits: number | undefined): void;
  close(): Promise<void>;
}>;

export type Endpoint = Readonly<{ address: string; port: number }>;

/** `webPort` is the port of the web process behind the proxy, which may be started later. */
export async function startLossyNetwork(webPort: number): Promise<LossyNetwork> {
  const proxy = await startProxy(webPort);
  const links = { agent: createLink(), customer: createLink() };
  const relay = createRelay(links);
  return {
    port: proxy.port,
    relayFor: relay.relayFor,
    disconnect: () => {
      proxy.disconnect();
      Object.values(links).forEach((link) => link.setDisconnected(true));
    },
    restore: () => {
      proxy.restore();
      Object.values(links).forEach((link) => link.setDisconnected(false));
    },
    limitUplink: (kilobits) => links.customer.limit(kilobits),
    close: async () => {
      relay.close();
      await proxy.close();
    },
  };
}

async function startProxy(webPort: number) {
  const pairs = new Set<readonly [Socket, Socket]>();
  let held: Socket[] = [];
  let isDisconnected = false;
  const forward = (client: Socket): void => {
    const server = connect({ host: "127.0.0.1", port: webPort });
    const pair = [client, server] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [server, client] as const]) {
      from.pipe(to);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        to.destroy();
        pairs.delete(pair);
      });
    }
  };
  const server = createServer((client) => {
    client.on("error", () => undefined);
    if (isDisconnected) {
      held.push(client.pause());
    } else {
      forward(client);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    disconnect: () => {
      isDisconnected = true;
      for (const socket of [...pairs].flat()) {
        socket.unpipe();
        socket.pause();
      }
    },
    restore: () => {
      isDisconnected = false;
      for (const [client, upstream] of pairs) {
        client.pipe(upstream);
        upstream.pipe(client);
      }
      held.forEach(forward);
      held = [];
    },
    close: async () => {
      [...pairs].flat().forEach((socket) => socket.destroy());
      held.forEach((socket) => socket.destroy());
      server.close();
      await once(server, "close");
    },
  };
}

type Link = Readonly<{
  /** Calls `forward` now or after a delay; never if the packet is dropped. */
  pass(bytes: number, forward: () => void): void;
  setDisconnected(isDisconnected: boolean): void;
  limit(kilobits: number | undefined): void;
}>;

/** Size of a router's queue; packets beyond it are dropped. */
const queueMs = 300;

function createLink(): Link {
  let isDisconnected = false;
  let kilobitsPerSecond: number | undefined;
  let freeAtMs = 0;
  return {
    pass: (bytes, forward) => {
      if (isDisconnected) {
        return;
      }
      if (kilobitsPerSecond === undefined) {
        forward();
        return;
      }
      const nowMs = performance.now();
      const startMs = Math.max(nowMs, freeAtMs);
      if (startMs - nowMs < queueMs) {
        freeAtMs = startMs + (bytes * 8) / kilobitsPerSecond;
        setTimeout(forward, freeAtMs - nowMs);
      }
    },
    setDisconnected: (next) => {
      isDisconnected = next;
    },
    limit: (kilobits) => {
      kilobitsPerSecond = kilobits;
    },
  };
}

const others = { agent: "customer", customer: "agent" } as const;

function createRelay(links: Readonly<Record<Side, Link>>) {
  const sockets = new Set<UdpSocket>();
  const fronts = new Map<string, Promise<Endpoint>>();
  const address = ownAddress();
  const open = async (onMessage: (data: Buffer, from: RemoteInfo) => void): Promise<UdpSocket> => {
    const socket = createSocket("udp4", onMessage);
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.bind(0, address);
    await once(socket, "listening");
    return socket;
  };
  const send = (socket: UdpSocket, data: Buffer, { port, address: host }: Endpoint): void => {
    if (sockets.has(socket)) {
      socket.send(data, port, host);
    }
  };
  /** One socket towards the target per sending address, like a NAT router. */
  const start = async (side: Side, target: Endpoint): Promise<Endpoint> => {
    const backs = new Map<number, Promise<UdpSocket>>();
    const front = await open((data, from) => {
      const back =
        backs.get(from.port) ??
        open((answer) => {
          links[others[side]].pass(answer.length, () => send(front, answer, from));
        });
      backs.set(from.port, back);
      void back.then((socket) => links[side].pass(data.length, () => send(socket, data, target)));
    });
    return { address, port: front.address().port };
  };
  return {
    relayFor: (side: Side, target: Endpoint): Promise<Endpoint> => {
      const key = `${side} ${target.address} ${target.port}`;
      const front = fronts.get(key) ?? start(side, target);
      fronts.set(key, front);
      return front;
    },
    close: () => {
      sockets.forEach((socket) => socket.close());
      sockets.clear();
    },
  };
}

/** Browsers do not offer loopback candidates, so this is another address of this machine. */
function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const found = all.find(({ family, internal }) => family === "IPv4" && !internal);
  if (found === undefined) {
    throw new Error("This machine has no network address besides loopback");
  }
  return found.address;
}
