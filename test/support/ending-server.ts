import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** Postgres behind a proxy that can make a commit look as if the server had ended after it. */
export type EndingServer = {
  readonly url: string;
  /** Replaces the answer to the next commit with this fault, and ends its connection. */
  endAfterCommit(code: string): void;
  close(): Promise<void>;
};

/** As Postgres reports it, for example when its disk is full. */
function panicOf(code: string): Buffer {
  const fields = ["SPANIC", "VPANIC", `C${code}`, "Mthe server has ended", "", ""].join("\0");
  const head = Buffer.from("E\0\0\0\0");
  head.writeInt32BE(Buffer.byteLength(fields) + 4, 1);
  return Buffer.concat([head, Buffer.from(fields)]);
}

export async function openEndingServer(url: string): Promise<EndingServer> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let code: string | undefined;
  const server = createServer((client) => {
    const postgres = connect(Number(target.port), target.hostname);
    for (const socket of [client, postgres]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.once("close", () => {
        client.destroy();
        postgres.destroy();
      });
    }
    client.pipe(postgres);
    postgres.on("data", (chunk: Buffer) => {
      if (code !== undefined && chunk.includes("INSERT 0 1")) {
        client.end(panicOf(code));
        code = undefined;
      } else {
        client.write(chunk);
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const proxied = new URL(url);
  const address = server.address();
  proxied.hostname = "127.0.0.1";
  proxied.port = typeof address === "object" ? String(address?.port) : "";
  return {
    url: proxied.href,
    endAfterCommit: (wanted) => {
      code = wanted;
    },
    close: async () => {
      const closed = once(server, "close");
      server.close();
      sockets.forEach((socket) => socket.destroy());
      await closed;
    },
  };
}
