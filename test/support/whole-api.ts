import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { enterpriseChanged } from "../../src/accounts/identities.ts";
import { composeWeb } from "../../src/compose/web.ts";
import { openPlatform, type Platform } from "../../src/compose/platform.ts";
import { loadConfig } from "../../src/config/config.ts";
import { createHttpServer, messageClasses } from "../../src/http/http-server.ts";
import type { AnyRoute } from "../../src/http/route.ts";
import type { Db } from "../../src/platform/db/pool.ts";
import type { StopPart } from "../../src/platform/lifecycle.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { testBaseUrl } from "./api.ts";
import { queueSchema } from "./backends.ts";
import { checkAnswer } from "./described.ts";
import { useDatabase } from "./database.ts";
import { testKey } from "./secret-box.ts";

export type ApiCall = {
  token?: string | undefined;
  json?: unknown;
  /** Sent unchanged; requires a Content-Type header. */
  raw?: string | Uint8Array;
  headers?: Record<string, string>;
};

export type ApiAnswer = {
  status: number;
  headers: Headers;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test asserts on JSON of any shape
  body: any;
};

/** Makes a call such as `POST /api/tickets`. Returns the response with any status. */
export type CallApi = (operation: string, call?: ApiCall) => Promise<ApiAnswer>;

export type WholeApi = {
  readonly url: string;
  readonly routes: readonly AnyRoute[];
  readonly call: CallApi;
  /** The folder of the blob store. */
  readonly blobDir: string;
  /**
   * Call it after users of this enterprise were changed without the services, which would report
   * it.
   */
  identitiesChanged(enterpriseId: number): void;
};

export type WholeApiOptions = {
  /** Replaces the API's database URL, for example by that of a proxy. */
  route?: (url: string) => Promise<string>;
};

/** The secret with which the SMS gateway of the tests signs its calls. */
export const gatewaySecret = "the gateway's key";

function requestOf({ token, json, raw, headers = {} }: ApiCall): RequestInit {
  return {
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(json === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    ...(raw === undefined ? {} : { body: raw }),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The first message of a stream, which is then closed. */
async function firstOf({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  return Buffer.from(first?.value ?? []).toString("utf8");
}

function isEndless({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") === true;
}

function caller(url: string): CallApi {
  return async (operation, call = {}) => {
    const space = operation.indexOf(" ");
    const method = operation.slice(0, space);
    const path = operation.slice(space + 1);
    const response = await fetch(`${url}${path}`, { method, ...requestOf(call) });
    const text = await (isEndless(response) ? firstOf(response) : response.text());
    return { status: response.status, headers: response.headers, text, body: parse(text) };
  };
}

export type ServedApi = WholeApi & { readonly platform: Platform; close(): Promise<void> };

/** The web role on this database. Close it before the database is dropped. */
export async function serveWholeApi(databaseUrl: string): Promise<ServedApi> {
  const stops: StopPart[] = [];
  const blobDir = await mkdtemp(join(tmpdir(), "sightline-api-test-"));
  stops.push(() => rm(blobDir, { recursive: true, force: true }));
  const config = loadConfig({
    DATABASE_URL: databaseUrl,
    BLOB_DIR: blobDir,
    SMS_PROVIDER: "dev",
    SMS_HTTP_URL: "http://127.0.0.1:9/sms",
    SMS_HTTP_SECRET: gatewaySecret,
    QUEUE_PREFIX: queueSchema,
    SECRET_KEY: testKey.toString("base64"),
    BASE_URL: testBaseUrl,
    ALLOW_LOCAL_RECEIVERS: "1",
    LIVEKIT_URL: "wss://livekit.example.com",
    LIVEKIT_API_KEY: "test-key",
    LIVEKIT_API_SECRET: "a-secret-of-at-least-32-characters",
    RATE_LIMIT_API: "1000000",
    RATE_LIMIT_EVENTS: "1000000",
    RATE_LIMIT_TOKEN_LOGIN: "1000000",
    RATE_LIMIT_TOKEN_IP: "1000000",
    RATE_LIMIT_GUEST: "1000000",
    RATE_LIMIT_SMS: "1000000",
  });
  const platform = await openPlatform({
    config,
    log: createLogger("error", "test"),
    lifecycle: {
      onStop: (_name, stop) => stops.push(stop),
      signal: new AbortController().signal,
    },
    databaseUrl,
    secretKey: testKey,
  });
  const { app, routes } = composeWeb(platform, { checkAnswer });
  const server = createHttpServer(app, { messages: messageClasses(app) });
  const url = `http://127.0.0.1:${await server.listen(0, "127.0.0.1")}`;
  stops.push(async () => void (await server.close(1_000)));
  return {
    url,
    routes,
    blobDir,
    platform,
    identitiesChanged: (enterpriseId) => enterpriseChanged(platform.db, enterpriseId),
    call: caller(url),
    close: async () => {
      for (const stop of stops.toReversed()) {
        await stop(5_000);
      }
    },
  };
}

/**
 * The whole web role, composed as in production, over real HTTP, for the tests of the surrounding
 * `describe`, with a separate database and without rate limits.
 */
export function useWholeApi(options: WholeApiOptions = {}): WholeApi & { readonly db: Db } {
  let served: ServedApi | undefined;
  // Registered before `useDatabase`, so that connections are closed before the database is dropped.
  after("stop serving", async () => {
    await served?.close();
  });
  const database = useDatabase();
  before("serve the whole API", async () => {
    const { route = async (url: string) => url } = options;
    served = await serveWholeApi(await route(database.url));
  });
  const get = (): WholeApi => {
    if (served === undefined) {
      throw new Error("The API exists inside tests and hooks only");
    }
    return served;
  };
  return {
    get db() {
      return database.db;
    },
    get url() {
      return get().url;
    },
    get routes() {
      return get().routes;
    },
    get call() {
      return get().call;
    },
    get blobDir() {
      return get().blobDir;
    },
    identitiesChanged: (enterpriseId) => get().identitiesChanged(enterpriseId),
  };
}
