import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** A proxy between a process and a server that a test can close, to make the server unreachable. */
export type TcpProxy = {
  readonly port: number;
  /** Accepts connections from now on. */
  open(): Promise<void>;
  /** Closes every connection and refuses new ones, like a server that is down. */
  close(): Promise<void>;
  /**
   * Forwards nothing more on the connections of this moment, and keeps them open, like a host or a
   * firewall that is gone. Later connections work.
   */
  fallSilent(): void;
};

function pipeTo(targetPort: number, sockets: Set<Socket>) {
  return (client: Socket) => {
    const server = connect(targetPort, "127.0.0.1");
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.once("close", () => {
        sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
      socket.on("error", () => undefined);
    }
    client.pipe(server).pipe(client);
  };
}

/** A proxy on a given port, for tests that need its address before it is opened. */
export function createTcpProxy(port: number, targetPort: number): TcpProxy {
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  return {
    port,
    open: async () => {
      server = createServer(pipeTo(targetPort, sockets));
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    },
    close: async () => {
      if (server !== undefined) {
        const closed = once(server, "close");
        server.close();
        sockets.forEach((socket) => socket.destroy());
        await closed;
        server = undefined;
      }
    },
    fallSilent: () => {
      for (const socket of sockets) {
        socket.unpipe();
        socket.pause();
      }
    },
  };
}

/** The same URL with the address of the proxy. */
export function throughProxy(url: string, { port }: TcpProxy): string {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
}
