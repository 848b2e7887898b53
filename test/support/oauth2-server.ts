import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";
import type { OAuth2Client } from "../../src/contracts/subscriptions.ts";

export type ResourceRequest = Readonly<{ authorization: string; webhookId: string; body: string }>;

/**
 * An authorization server (oidc-provider, which is certified) and a receiver that accepts only
 * valid tokens of that server, both on one free loopback port.
 */
export type OAuth2Server = {
  /** `http://127.0.0.1:<port>/hook`: answers 200 for a valid token, 401 otherwise. */
  readonly receiverUrl: string;
  /** The number of token requests, whatever their result. */
  readonly tokenRequests: number;
  /** The requests of the receiver. */
  readonly received: readonly ResourceRequest[];
  /** Client credentials that the server knows. */
  clientOf(authentication: OAuth2Client["authentication"]): OAuth2Client;
  /** Revokes a token before it expires. */
  revoke(token: string): Promise<void>;
  isLive(token: string): Promise<boolean>;
  close(): Promise<void>;
};

/** Contains every kind of character that form encoding changes. */
const clientSecret = "p+s %/x:y&z=0123456789012345678901234567890";
const clientId = "crm & co";
const methods = { basic: "client_secret_basic", form: "client_secret_post" } as const;

function createProvider(issuer: string, ttlSeconds: number): Provider {
  return new Provider(issuer, {
    clients: Object.entries(methods).map(([name, method]) => ({
      client_id: `${clientId} ${name}`,
      client_secret: clientSecret,
      grant_types: ["client_credentials"],
      redirect_uris: [],
      response_types: [],
      scope: "hooks",
      token_endpoint_auth_method: method,
    })),
    scopes: ["hooks", "administration"],
    features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
    ttl: { ClientCredentials: ttlSeconds },
  });
}

async function bodyOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Suppresses the provider's warning that it stores data in memory, which is intended in tests. */
function quietly<T>(make: () => T): T {
  const { warn, info } = console;
  Object.assign(console, { warn: () => undefined, info: () => undefined });
  try {
    return make();
  } finally {
    Object.assign(console, { warn, info });
  }
}

export async function startOAuth2Server(ttlSeconds = 60): Promise<OAuth2Server> {
  const received: ResourceRequest[] = [];
  const state = { tokenRequests: 0 };
  const handlers: ((request: IncomingMessage, response: ServerResponse) => unknown)[] = [];
  const server = createServer((request, response) => {
    void handlers[0]?.(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = quietly(() => createProvider(base, ttlSeconds));
  const callback = quietly(() => provider.callback());

  const isLive = async (token: string): Promise<boolean> =>
    (await provider.ClientCredentials.find(token))?.isExpired === false;

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { authorization = "", "webhook-id": webhookId } = request.headers;
    received.push({ authorization, webhookId: String(webhookId), body: await bodyOf(request) });
    const token = /^Bearer (?<token>\S+)$/u.exec(authorization)?.groups?.["token"] ?? "";
    response.writeHead((await isLive(token)) ? 200 : 401).end();
  };

  handlers.push((request, response) => {
    if (request.url === "/hook") {
      return receive(request, response);
    }
    state.tokenRequests += 1;
    return callback(request, response);
  });
  return {
    receiverUrl: `${base}/hook`,
    get tokenRequests() {
      return state.tokenRequests;
    },
    received,
    clientOf: (authentication) => ({
      tokenUrl: `${base}/token`,
      clientId: `${clientId} ${authentication}`,
      clientSecret,
      scope: "hooks",
      audience: null,
      authentication,
    }),
    revoke: async (token) => {
      await (await provider.ClientCredentials.find(token))?.destroy();
    },
    isLive,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A client of a token server that does not exist. A new object each time: tokens are cached by it. */
export function anOAuth2Client(more: Partial<OAuth2Client> = {}): OAuth2Client {
  return {
    tokenUrl: "https://login.test/token",
    clientId: "crm",
    clientSecret: "s3cret",
    scope: null,
    audience: null,
    authentication: "basic",
    ...more,
  };
}
