/**
 * A SOCKS proxy between a browser and the platform that a test can disconnect. Playwright's offline
 * mode is not enough: it keeps WebSockets open and allows new ones.
 */
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import type { OpenOptions } from "./browser.ts";

export type Network = Readonly<{
  /** The proxy setting of a browser context that uses this network. */
  proxy: NonNullable<NonNullable<OpenOptions["context"]>["proxy"]>;
  /** Closes all connections and refuses new ones. Media do not use the proxy. */
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

/** RFC 1928 without authentication. Every address is on this machine. */
async function forward(client: Socket, sockets: Set<Socket>): Promise<void> {
  await nextOf(client); // the authentication methods of the client
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

/** One message of the handshake: it is small, and the client then waits for the response. */
async function nextOf(socket: Socket): Promise<Buffer> {
  const coming = once(socket, "data");
  socket.resume();
  const [data] = (await coming) as [Buffer];
  socket.pause();
  return data;
}
