/**
 * The network between a browser and the platform, which a test can take away: a SOCKS proxy. Taking the
 * browser offline is not enough: its WebSockets go on, and new ones are opened.
 */
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import type { OpenOptions } from "./browser.ts";

export type Network = Readonly<{
  /** For a browser context that is to use this network. */
  proxy: NonNullable<NonNullable<OpenOptions["context"]>["proxy"]>;
  /** Ends all connections and refuses new ones. Media do not go through it. */
  takeAway(): void;
  bringBack(): void;
}>;

/** A network for the tests of the surrounding `describe`. */
export function useNetwork(): Network {
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let isAway = false;
  const endAll = (): void => sockets.forEach((socket) => socket.destroy());

  const accept = (client: Socket): void => {
    if (isAway) {
      client.destroy();
    } else {
      keep(client, sockets);
      void forward(client, sockets).catch(() => client.destroy());
    }
  };
  before("create a network", async () => {
    server = createServer(accept);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterEach("restore the network", () => {
    isAway = false;
  });
  after("remove the network", () => {
    endAll();
    server?.close();
  });
  return {
    get proxy() {
      const address = server?.address();
      if (address === null || typeof address !== "object") {
        throw new Error("The network is there inside tests and hooks only");
      }
      // By default, browsers use no proxy for loopback addresses.
      return { server: `socks5://127.0.0.1:${address.port}`, bypass: "<-loopback>" };
    },
    takeAway: () => {
      isAway = true;
      endAll();
    },
    bringBack: () => {
      isAway = false;
    },
  };
}

function keep(socket: Socket, sockets: Set<Socket>): void {
  sockets.add(socket);
  socket.setNoDelay(true);
  socket.on("error", () => undefined);
  socket.once("close", () => sockets.delete(socket));
}

const isAccepted = Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]);

/** RFC 1928, for clients that are let in without a name. Every address is on this machine. */
async function forward(client: Socket, sockets: Set<Socket>): Promise<void> {
  await nextOf(client); // the ways to authenticate that the client knows
  client.write(Buffer.from([5, 0]));
  const request = await nextOf(client);
  const server = connect(request.readUInt16BE(request.length - 2), "127.0.0.1");
  keep(server, sockets);
  server.once("close", () => client.destroy());
  client.once("close", () => server.destroy());
  await once(server, "connect");
  client.write(isAccepted);
  client.pipe(server).pipe(client);
}

/** A message of the handshake is small, and the client sends nothing more before the answer. */
async function nextOf(socket: Socket): Promise<Buffer> {
  const coming = once(socket, "data");
  socket.resume();
  const [data] = (await coming) as [Buffer];
  socket.pause();
  return data;
}
