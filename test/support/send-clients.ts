import type { LookupAddress } from "node:dns";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import https from "node:https";
import net, { type AddressInfo, type Socket } from "node:net";
import type { ClientCertificate } from "../../src/contracts/subscriptions.ts";
import type { SendClientOptions } from "../../src/pipeline/delivery/send.ts";
import type {
  SendClient,
  SendRequest,
  SendResult,
} from "../../src/pipeline/delivery/send-result.ts";
import { createAddressGuard } from "../../src/platform/net/address-guard.ts";
import { createResolver, type LookupAll } from "../../src/platform/net/resolver.ts";

/** A short request in the form of the pipeline. */
export function aRequest(url: string, overrides: Partial<SendRequest> = {}): SendRequest {
  return {
    url,
    headers: { "Content-Type": "application/JSON", "webhook-id": "evt_1" },
    body: Buffer.from('{"a":1}'),
    ...overrides,
  };
}

/** The status, or the class of the failure. */
export function outcomeOf(result: SendResult): string | number {
  return result.kind === "answered" ? result.status : result.failure;
}

export function answeredBy(result: SendResult) {
  if (result.kind === "failed") {
    throw new Error(`Not answered: ${result.failure}, ${result.detail}`);
  }
  return result;
}

export type OpenOptions = Partial<SendClientOptions> & { lookup?: LookupAll };

/**
 * Clients that may connect to this machine, and resolve only names that the test defines. Clients,
 * and all arguments of `closing`, are closed when the test ends.
 */
export function useSendClient(create: (options: SendClientOptions) => SendClient) {
  const closers: (() => unknown)[] = [];
  afterEach("close clients and servers", async () => {
    for (const close of closers.splice(0)) {
      await close();
    }
  });
  const closing = <T extends { close(): unknown }>(opened: T): T => {
    closers.push(() => opened.close());
    return opened;
  };
  const open = ({ lookup = dnsOf({}), ...options }: OpenOptions = {}): SendClient => {
    const guard = createAddressGuard({
      areLocalReceiversAllowed: true,
      allowList: [],
      resolver: createResolver({ lookup, timeoutMs: 200 }),
    });
    return closing(create({ guard, timeoutMs: 5_000, ...options }));
  };
  return { open, closing };
}

/** A DNS with these names only. A function may hang, throw, or vary its result. */
export function dnsOf(names: Record<string, readonly string[] | LookupAll>): LookupAll {
  return async (hostname) => {
    const answer = names[hostname];
    if (answer === undefined) {
      throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
    }
    return typeof answer === "function"
      ? answer(hostname)
      : answer.map((address): LookupAddress => ({ address, family: net.isIP(address) }));
  };
}

export type LocalServer = { readonly port: number; close(): Promise<void> };

async function start(server: net.Server): Promise<LocalServer> {
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
}

/** A TCP server that passes each connection to the test. */
export async function startTcp(onSocket: (socket: Socket) => void): Promise<LocalServer> {
  return start(net.createServer(onSocket));
}

async function tlsFile(name: string): Promise<string> {
  return readFile(new URL(`../fixtures/tls/${name}`, import.meta.url), "utf8");
}

/** A client certificate of the tests, by file name; it trusts the test authority. */
export async function aClientCertificate(
  name: "client-a" | "client-b" | "client-stranger",
): Promise<ClientCertificate> {
  return {
    certificate: await tlsFile(`${name}.pem`),
    key: await tlsFile(`${name}.key`),
    ca: await testAuthority(),
  };
}

/** The authority that signed the client certificates, except `client-stranger`. */
export async function testClientAuthority(): Promise<string> {
  return tlsFile("client-ca.pem");
}

/** The authority that signed the server certificates of the tests. */
export async function testAuthority(): Promise<string> {
  return tlsFile("ca.pem");
}

export type Certificate = "valid" | "expired" | "wrong-name" | "self-signed";

export type HttpsOptions = https.ServerOptions & {
  /** Closes a connection without a response when a second request arrives on it. */
  isClosedOnReuse?: boolean;
};

/**
 * An HTTPS server that always answers 200, for the name `receiver.test` if its certificate is
 * valid.
 */
export async function startHttps(
  certificate: Certificate,
  { isClosedOnReuse = false, ...options }: HttpsOptions = {},
): Promise<LocalServer & { readonly served: number }> {
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
}
