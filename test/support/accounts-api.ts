import { createApiTokenRoutes } from "../../src/accounts/api-tokens/routes.ts";
import { createApiTokens, type ApiTokens } from "../../src/accounts/api-tokens/service.ts";
import { createAdministration } from "../../src/accounts/administration.ts";
import { createEmbedding } from "../../src/accounts/embedding.ts";
import { createPasswords, type Passwords } from "../../src/accounts/credentials.ts";
import type { PrivateMail } from "../../src/contracts/invitations.ts";
import { createAccountRoutes } from "../../src/accounts/routes.ts";
import { authenticateToken, createIdentityCache } from "../../src/accounts/identities.ts";
import { createAccounts, type Accounts } from "../../src/accounts/service.ts";
import { createBrowserSessionRoutes } from "../../src/accounts/sessions/routes.ts";
import { createSessions, type Sessions } from "../../src/accounts/sessions/service.ts";
import type { FoundSession } from "../../src/accounts/sessions/store.ts";
import { createKnownClients } from "../../src/accounts/sign-in/throttling.ts";
import { insertToken, newToken } from "../../src/accounts/token-store.ts";
import { createAudit, createAuditRoutes } from "../../src/audit/audit-log.ts";
import { createLimits, type LimitRules } from "../../src/http/limits.ts";
import type { RateStores } from "../../src/http/rate-store.ts";
import { rowsOf, type Db } from "../../src/platform/db/pool.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { memoryRateStores, startApi, testBaseUrl, type LogLine, type TestApi } from "./api.ts";
import { createTasks } from "../../src/platform/tasks/task.ts";
import { createTestClock } from "./clock.ts";
import type { TestDatabase } from "./database.ts";
import { testKey } from "./secret-box.ts";
import { anEnterprise, aService, aUser, type EnterpriseRow, type UserRow } from "./factories.ts";

export type AccountsApi = TestApi & {
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly apiTokens: ApiTokens;
  readonly passwords: Passwords;
  /** Warnings that the service logged. */
  readonly warnings: LogLine[];
  /** Emails that would have been sent, oldest first. */
  readonly mails: PrivateMail[];
};

export type AccountsApiOptions = {
  rules?: Partial<LimitRules>;
  tokenTtlSeconds?: number;
  rateStores?: RateStores;
  /** The base URL that the platform is configured with. */
  baseUrl?: string;
};

const lenient = {
  apiPerMinute: 10_000,
  eventsPerMinute: 10_000,
  tokenPerLogin: 10_000,
  tokenPerIp: 10_000,
  guestPerIp: 10_000,
  smsPerMinute: 10_000,
};

const noBrowser = { system: "Linux", browser: "Firefox 140" };

/** The operations on accounts on a real HTTP server, with rate limits that tests do not reach. */
export async function startAccountsApi(
  db: Db,
  {
    rules = {},
    tokenTtlSeconds = 86_400,
    rateStores,
    baseUrl = testBaseUrl,
  }: AccountsApiOptions = {},
): Promise<AccountsApi> {
  const limits = createLimits({ ...lenient, ...rules }, rateStores ?? memoryRateStores);
  const passwords = createPasswords();
  const knownClients = createKnownClients(testKey);
  const warnings: LogLine[] = [];
  const mails: PrivateMail[] = [];
  const warn = (fields: object, event: string) =>
    void warnings.push({ level: "warn", fields: { ...fields }, event });
  const accounts = createAccounts({
    db,
    ids: randomIds,
    passwords,
    knownClients,
    limits,
    tokenTtlSeconds,
    log: { warn } as never,
  });
  const clock = createTestClock();
  const administration = createAdministration({
    db,
    ids: randomIds,
    clock,
    tasks: createTasks({ clock, wake: () => undefined }),
    passwords,
    knownClients,
    limits,
    accounts,
    audit: createAudit(),
    queueMail: async (_trx, mail) => void mails.push(mail),
    isAllowedOrigin: createEmbedding({ db, findOwner: async () => undefined, baseUrl })
      .isAllowedOrigin,
    baseUrl,
  });
  const { requireEnterprise } = administration;
  const writing = { db, ids: randomIds, audit: createAudit() };
  const cache = createIdentityCache<FoundSession>({ isListening: () => false });
  const sessions = createSessions({ ...writing, accounts, cache, baseUrl });
  const apiTokens = createApiTokens(writing);
  const api = await startApi({
    routes: [
      ...createAccountRoutes({ accounts, baseUrl }),
      ...createBrowserSessionRoutes({ sessions, describeBrowser: () => noBrowser, baseUrl }),
      ...createApiTokenRoutes({ apiTokens, requireEnterprise }),
      ...administration.routes,
      ...createAuditRoutes({ db, requireEnterprise }),
    ],
    authenticate: (token) => authenticateToken(db, token),
    sessions,
    baseUrl,
    limits,
  });
  return { ...api, accounts, sessions, apiTokens, passwords, warnings, mails };
}

export type Json = Record<string, unknown>;

export type CallAnswer = {
  status: number;
  headers: Headers;
  body: Record<string, any>; // oxlint-disable-line no-explicit-any -- a test reads unknown JSON
};

export type Member = UserRow & { token: string };

/** A row of the audit log. */
type KeptEntry = {
  user_id: number | null;
  login: string;
  action: string;
  object: string;
  object_id: string;
  changes: Json;
};

type Call = { as?: { token: string }; json?: unknown };

/** An access token of the user, like the one that a sign-in returns. */
export async function anAccessToken(db: Db, user: UserRow): Promise<string> {
  const { token, hash } = newToken(randomIds);
  const owner = { enterpriseId: user.enterprise_id, userId: user.id };
  const family = randomIds.uuid();
  await insertToken(db, { hash, owner, kind: "access", family, ttlSeconds: 3_600 });
  return token;
}

/** A bare row of a ticket, to which rows of users, groups and services can refer. */
export async function aTicketRow(
  db: Db,
  { enterpriseId, agentId, groupId }: { enterpriseId: number; agentId?: number; groupId?: number },
): Promise<{ id: number; conversationId: number }> {
  const service = await aService(db, { enterprise_id: enterpriseId });
  const secret = randomIds.base62(22);
  const [row] = await rowsOf<{ id: number; conversation_id: number }>(
    db,
    `WITH c AS (INSERT INTO conversations (enterprise_id, uid) VALUES (?, gen_random_uuid())
         RETURNING id),
       b AS (INSERT INTO buttons (enterprise_id, service_id) VALUES (?, ?) RETURNING id)
     INSERT INTO tickets (enterprise_id, service_id, button_id, conversation_id, agent_id,
       group_id, state, requestor_email, requestor_secret, information_code, start_time, end_time)
     SELECT ?, ?, b.id, c.id, ?, ?, 'open', 'x@x.example', ?, ?, now(), now() FROM c, b
     RETURNING id, conversation_id`,
    [
      ...[enterpriseId, enterpriseId, service.id, enterpriseId, service.id],
      ...[agentId ?? null, groupId ?? null, secret, secret],
    ],
  );
  return { id: row?.id ?? 0, conversationId: row?.conversation_id ?? 0 };
}

/** The password of `user`, and of every user that is created with `passwordHash`. */
export const password = "Correct-Horse-7";

async function jsonOf(response: Response): Promise<Json> {
  return (await response.json()) as Json;
}

/** The API, an enterprise, and `user`: an agent who can sign in, and is new in every test. */
export function useAccounts(database: TestDatabase) {
  let started: AccountsApi | undefined;
  let made: { enterprise: EnterpriseRow; passwordHash: string } | undefined;
  let signedIn: UserRow | undefined;
  const must = <T>(value: T | undefined): T => {
    if (value === undefined) {
      throw new Error("Accounts exist inside tests and hooks only");
    }
    return value;
  };

  before("start the API of accounts", async () => {
    started = await startAccountsApi(database.db);
    const passwordHash = await started.passwords.hash(password);
    made = { enterprise: await anEnterprise(database.db), passwordHash };
  });
  after("stop the API of accounts", () => started?.close());
  beforeEach("make a user", async () => {
    signedIn = await aUser(database.db, {
      enterprise_id: must(made).enterprise.id,
      password_hash: must(made).passwordHash,
      nickname: "Zoë",
      email: "zoe@test.example",
    });
  });

  const form = (fields: Record<string, string>, url = must(started).url): Promise<Response> =>
    fetch(`${url}/api/token`, { method: "POST", body: new URLSearchParams(fields) });

  const login = (more: Record<string, string> = {}, url?: string): Promise<Response> =>
    form({ grant_type: "password", username: must(signedIn).login, password, ...more }, url);

  const call = async (what: string, { as, json }: Call = {}): Promise<CallAnswer> => {
    const [method = "GET", path = ""] = what.split(" ", 2);
    const response = await fetch(`${must(started).url}/api${path}`, {
      method,
      headers: {
        ...(as === undefined ? {} : { authorization: `Bearer ${as.token}` }),
        ...(json === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const text = await response.text();
    const body = (text === "" ? {} : JSON.parse(text)) as CallAnswer["body"];
    return { status: response.status, headers: response.headers, body };
  };

  return {
    get api() {
      return must(started);
    },
    get enterprise() {
      return must(made).enterprise;
    },
    get passwordHash() {
      return must(made).passwordHash;
    },
    get user() {
      return must(signedIn);
    },
    form,
    login,
    jsonOf,
    call,
    tokenOf: async (more: Record<string, string> = {}): Promise<string> =>
      String((await jsonOf(await login(more)))["access_token"]),
    me: (token: string, path = "/api/v2/users/me"): Promise<Response> =>
      fetch(`${must(started).url}${path}`, { headers: { authorization: `Bearer ${token}` } }),
    setUser: async (sql: string): Promise<void> => {
      await database.db.raw(`UPDATE users SET ${sql} WHERE id = ?`, [must(signedIn).id]);
    },
    /** A signed-in user, by default an administrator of a new enterprise. */
    aMember: async (columns: Record<string, unknown> = {}): Promise<Member> => {
      const { db } = database;
      const enterpriseId = Number(columns["enterprise_id"] ?? (await anEnterprise(db)).id);
      const user = await aUser(db, { role: "admin", ...columns, enterprise_id: enterpriseId });
      return { ...user, token: await anAccessToken(db, user) };
    },
    /** The audit log of an enterprise, oldest entry first. */
    auditOf: (enterpriseId: number): Promise<KeptEntry[]> =>
      rowsOf<KeptEntry>(
        database.db,
        `SELECT user_id, login, action, object, object_id, changes FROM audit_entries
         WHERE enterprise_id = ? ORDER BY id`,
        [enterpriseId],
      ),
  };
}
