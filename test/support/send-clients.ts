import type { LookupAddress } from "node:dns";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import https from "node:https";
import net, { type AddressInfo, type Socket } from "node:net";
import type { SendRequest } from "../../src/pipeline/delivery/send-types.ts";
import type { LookupAll } from "../../src/platform/net/resolver.ts";

/** A request as the pipeline makes them, in short. */
export const aRequest = (url: string, overrides: Partial<SendRequest> = {}): SendRequest => ({
  url,
  headers: { "Content-Type": "application/JSON", "webhook-id": "evt_1" },
  body: Buffer.from('{"a":1}'),
  ...overrides,
});

/** A DNS that knows these names only. A function may hang, throw, or change its mind. */
export const dnsOf =
  (names: Record<string, readonly string[] | LookupAll>): LookupAll =>
  async (hostname) => {
    const answer = names[hostname];
    if (answer === undefined) {
      throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
    }
    return typeof answer === "function"
      ? answer(hostname)
      : answer.map((address): LookupAddress => ({ address, family: net.isIP(address) }));
  };

export type LocalServer = { readonly port: number; close(): Promise<void> };

const start = async (server: net.Server): Promise<LocalServer> => {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) {
        socket.destroy();
      }
      await closed;
    },
  };
};

/** A TCP server that does with each connection what the test says. */
export const startTcp = async (onSocket: (socket: Socket) => void): Promise<LocalServer> =>
  start(net.createServer(onSocket));

const tlsFile = async (name: string): Promise<string> =>
  readFile(new URL(`../fixtures/tls/${name}`, import.meta.url), "utf8");

/** The authority that signed the test certificates. */
export const testAuthority = async (): Promise<string> => tlsFile("ca.pem");

export type Certificate = "valid" | "expired" | "wrong-name" | "self-signed";

export type HttpsOptions = https.ServerOptions & {
  /** Closes a connection on which a second request comes, without an answer. */
  isClosedOnReuse?: boolean;
};

/** An HTTPS server that answers 200 to everything, as `receiver.test` if its certificate is valid. */
export const startHttps = async (
  certificate: Certificate,
  { isClosedOnReuse = false, ...options }: HttpsOptions = {},
): Promise<LocalServer & { readonly served: number }> => {
  const state = { served: 0 };
  const used = new WeakSet<Socket>();
  const server = https.createServer(
    { cert: await tlsFile(`${certificate}.pem`), key: await tlsFile("server.key"), ...options },
    (message, response) => {
      if (isClosedOnReuse && used.has(message.socket)) {
        message.socket.destroy();
        return;
      }
      used.add(message.socket);
      state.served += 1;
      message.resume().once("end", () => response.end("ok"));
    },
  );
  server.on("tlsClientError", () => undefined);
  const { port, close } = await start(server);
  return {
    port,
    close,
    get served() {
      return state.served;
    },
  };
};
