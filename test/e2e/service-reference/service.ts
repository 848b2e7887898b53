/**
 * The service under test, which is accessed by HTTP only. By default, each file starts a separate
 * one. With SERVICE_URL, the tests use another host, with the accounts SERVICE_ADMIN and
 * SERVICE_AGENT (both `login:password`). That host must reach this machine under
 * SERVICE_RECEIVER_HOST for webhooks, show mails and SMS on its mailbox page, and have rate limits
 * as high as below, except for the default limit of the ticket events.
 */
import { randomUUID } from "node:crypto";
import { useInstallation } from "../../support/embedded-start.ts";
import { useProcesses } from "../../support/processes.ts";
import { eventually } from "../../support/eventually.ts";
import { startReceiver, type ReceivedRequest, type Receiver } from "../../support/receiver.ts";
import { createFindFault, type Document, type FindFault } from "./description.ts";

export type Answer = {
  status: number;
  headers: Headers;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test asserts on JSON of any shape
  body: any;
};

export type Call = {
  headers?: Record<string, string>;
  json?: unknown;
  form?: Record<string, string>;
  /** Sent unchanged; requires a Content-Type header. */
  raw?: string | Uint8Array | FormData;
};

export type Client = {
  readonly token: string;
  readonly login: string;
  /** `GET /api/tickets?limit=1`. */
  call(operation: string, options?: Call): Promise<Answer>;
};

/** The webhook subscription of one test, which is deleted after it. */
export type Watch = {
  readonly id: number;
  readonly secret: string;
  requests(): ReceivedRequest[];
  bodies(): Answer["body"][];
  /** Waits for this many requests and returns them. */
  sees(count: number, timeoutMs?: number): Promise<Answer["body"][]>;
};

export type Service = {
  readonly url: string;
  /** Calls without a token. */
  call: Client["call"];
  logIn(login: string, password: string): Promise<Client>;
  /** A client with a token that the service has issued, to a user or a guest. */
  as(token: string): Client;
  readonly admin: Client;
  readonly agent: Client;
  /** Receives the webhooks of the subscriptions that the tests make. */
  readonly receiver: Receiver;
  watch(filters: readonly string[], settings?: Record<string, unknown>): Promise<Watch>;
};

type Account = { login: string; password: string };

const ownAdmin: Account = { login: "admin@demo.example", password: "Correct-horse-9" };
const ownAgent: Account = { login: "agent@demo.example", password: "Battery-staple-7" };

function accountOf(text: string | undefined, own: Account): Account {
  if (text === undefined) {
    return own;
  }
  const colon = text.indexOf(":");
  return { login: text.slice(0, colon), password: text.slice(colon + 1) };
}

function bodyOf({ json, form, raw }: Call): RequestInit {
  if (json !== undefined) {
    return { body: JSON.stringify(json), headers: { "content-type": "application/json" } };
  }
  if (form !== undefined) {
    return { body: new URLSearchParams(form) };
  }
  return raw === undefined ? {} : { body: raw };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const callTimeoutMs = 20_000;

type Place = { readonly url: string; readonly findFault: FindFault };

/** Validates every response against the API description. */
function caller(place: () => Place, token?: string): Client["call"] {
  return async (operation, options = {}) => {
    const { url, findFault } = place();
    const space = operation.indexOf(" ");
    const { headers, ...body } = bodyOf(options);
    const response = await fetch(`${url}${operation.slice(space + 1)}`, {
      method: operation.slice(0, space),
      redirect: "manual",
      signal: AbortSignal.timeout(callTimeoutMs),
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(headers as Record<string, string> | undefined),
        ...options.headers,
      },
      ...body,
    });
    // `text()` would drop the byte order mark of a CSV.
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const text = decoder.decode(await response.arrayBuffer());
    const answer = { status: response.status, headers: response.headers, text, body: parse(text) };
    const fault = findFault(operation, answer);
    if (fault !== undefined) {
      throw new Error(`${operation} is not answered as it is described: ${fault}`);
    }
    return answer;
  };
}

function clientOf(place: () => Place, login: string, token: string): Client {
  return {
    token,
    login,
    call: caller(place, token),
  };
}

function logInAt(place: () => Place): Service["logIn"] {
  return async (login, password) => {
    const query = new URLSearchParams({ grant_type: "password", username: login, password });
    const answer = await caller(place)(`POST /api/token?${query.toString()}`);
    if (answer.status !== 200) {
      throw new Error(`${login} cannot sign in: ${answer.status} ${answer.text}`);
    }
    return clientOf(place, login, String(answer.body.access_token));
  };
}

async function readDescription(url: string): Promise<Document> {
  return (await fetch(`${url}/api/openapi.json`)).json() as Promise<Document>;
}

function watcher(
  get: () => { admin: Client; receiver: Receiver },
  ids: number[],
): Service["watch"] {
  return async (filters, settings = {}) => {
    const { admin, receiver } = get();
    const path = `/hook/${randomUUID()}`;
    const host = process.env["SERVICE_RECEIVER_HOST"] ?? "127.0.0.1";
    const url = `http://${host}:${receiver.port}${path}`;
    const answer = await admin.call("POST /api/webhooks", {
      json: { name: "Test", url, active: true, filters, ...settings },
    });
    if (answer.status !== 201) {
      throw new Error(`No webhook: ${answer.status} ${answer.text}`);
    }
    ids.push(Number(answer.body.id));
    const requests = (): ReceivedRequest[] =>
      receiver.requests.filter((request) => request.path === path);
    const bodies = (): Answer["body"][] => requests().map((request) => request.json());
    const sees: Watch["sees"] = (count, timeoutMs = 10_000) =>
      eventually(
        () => {
          if (requests().length < count) {
            throw new Error(`${requests().length} of ${count}: ${JSON.stringify(bodies())}`);
          }
          return bodies();
        },
        { timeoutMs },
      );
    return {
      id: Number(answer.body.id),
      secret: String(answer.body.secret),
      requests,
      bodies,
      sees,
    };
  };
}

/** Starts a service unless SERVICE_URL is set. Returns its address. */
function useAddress(): () => string {
  const elsewhere = process.env["SERVICE_URL"];
  if (elsewhere !== undefined) {
    return () => elsewhere;
  }
  const place = useInstallation(useProcesses());
  before("start the service", async function () {
    this.timeout(100_000);
    await place.installation.start({
      ADMIN_PASSWORD: ownAdmin.password,
      AGENT_PASSWORD: ownAgent.password,
      ALLOW_LOCAL_RECEIVERS: "1",
      RATE_LIMIT_API: "10000",
      RATE_LIMIT_TOKEN_IP: "1000",
      RATE_LIMIT_GUEST: "1000",
    });
  });
  return () => place.installation.url;
}

/** The service for the tests of the surrounding `describe`. */
export function useService(): Service {
  const url = useAddress();
  const watched: number[] = [];
  let made: (Pick<Service, "admin" | "agent" | "receiver"> & Place) | undefined;
  const get = (): NonNullable<typeof made> => {
    if (made === undefined) {
      throw new Error("The service exists inside tests and hooks only");
    }
    return made;
  };
  before("sign in", async function () {
    this.timeout(20_000);
    const place = { url: url(), findFault: createFindFault(await readDescription(url())) };
    const logIn = logInAt(() => place);
    const admin = accountOf(process.env["SERVICE_ADMIN"], ownAdmin);
    const agent = accountOf(process.env["SERVICE_AGENT"], ownAgent);
    made = {
      ...place,
      admin: await logIn(admin.login, admin.password),
      agent: await logIn(agent.login, agent.password),
      receiver: await startReceiver(),
    };
  });
  afterEach("stop watching", async () => {
    for (const id of watched.splice(0)) {
      await get().admin.call(`DELETE /api/webhooks/${id}`);
    }
  });
  after("stop receiving", async () => {
    await made?.receiver.close();
  });
  return {
    get url() {
      return url();
    },
    call: (operation, options) => caller(get)(operation, options),
    logIn: (login, password) => logInAt(get)(login, password),
    as: (token) => clientOf(get, "", token),
    get admin() {
      return get().admin;
    },
    get agent() {
      return get().agent;
    },
    get receiver() {
      return get().receiver;
    },
    watch: watcher(get, watched),
  };
}
