import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/**
 * A proxy between the API and Postgres that can close a connection just before its n-th statement
 * from now, which then never arrives.
 */
export type StatementProxy = {
  readonly port: number;
  /** From now on, the n-th statement of all connections closes its connection. */
  interruptAt(n: number): void;
  /** Cancels the interruption. Returns whether it has occurred. */
  disarm(): boolean;
  close(): Promise<void>;
};

/** Parse and Query: the first messages of statements with and without parameters. */
const statementTypes = new Set(["P".charCodeAt(0), "Q".charCodeAt(0)]);

const headerBytes = 5;

/** Parses the messages of one client. `onMessage` returns false to end the connection. */
function createFrontend(onMessage: (type: number) => boolean) {
  let rest = Buffer.alloc(0);
  let hasStarted = false;
  /** Returns the bytes to forward; undefined if the connection ends. */
  return (chunk: Buffer): Buffer | undefined => {
    rest = Buffer.concat([rest, chunk]);
    let end = 0;
    for (;;) {
      // The first message has no type.
      const head = hasStarted ? headerBytes : headerBytes - 1;
      if (rest.length - end < head) {
        break;
      }
      const length = rest.readInt32BE(end + head - 4) + (head - 4);
      if (rest.length - end < length) {
        break;
      }
      if (hasStarted && !onMessage(rest[end] ?? 0)) {
        return undefined;
      }
      hasStarted = true;
      end += length;
    }
    const passed = rest.subarray(0, end);
    rest = rest.subarray(end);
    return passed;
  };
}

function pipeTo(targetPort: number, sockets: Set<Socket>, mayPass: (type: number) => boolean) {
  return (client: Socket) => {
    const server = connect(targetPort, "127.0.0.1");
    const end = (): void => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.once("close", () => {
        sockets.delete(socket);
        end();
      });
      socket.on("error", () => undefined);
    }
    const read = createFrontend(mayPass);
    client.on("data", (chunk: Buffer) => {
      const passed = read(chunk);
      if (passed === undefined) {
        end();
      } else if (passed.length > 0) {
        server.write(passed);
      }
    });
    server.pipe(client);
  };
}

export async function openStatementProxy(targetPort: number): Promise<StatementProxy> {
  const sockets = new Set<Socket>();
  let left: number | undefined;
  let hasInterrupted = false;
  const mayPass = (type: number): boolean => {
    if (left === undefined || !statementTypes.has(type)) {
      return true;
    }
    left -= 1;
    if (left > 0) {
      return true;
    }
    left = undefined;
    hasInterrupted = true;
    return false;
  };
  const server: Server = createServer(pipeTo(targetPort, sockets, mayPass));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    interruptAt: (n) => {
      left = n;
      hasInterrupted = false;
    },
    disarm: () => {
      left = undefined;
      return hasInterrupted;
    },
    close: async () => {
      const closed = once(server, "close");
      server.close();
      sockets.forEach((socket) => socket.destroy());
      await closed;
    },
  };
}
