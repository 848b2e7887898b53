import { createPasswords, type Passwords } from "../../src/accounts/password.ts";
import { createAccountRoutes } from "../../src/accounts/routes.ts";
import { createAccounts, type Accounts } from "../../src/accounts/service.ts";
import { createLimits, type LimitRules } from "../../src/http/limits.ts";
import type { RateStores } from "../../src/http/rate-store.ts";
import type { Db } from "../../src/platform/db/pool.ts";
import { randomIds } from "../../src/platform/ids.ts";
import { memoryRateStores, startApi, testBaseUrl, type LogLine, type TestApi } from "./api.ts";

export type AccountsApi = TestApi & {
  readonly accounts: Accounts;
  readonly passwords: Passwords;
  /** What the service itself logged. */
  readonly warnings: LogLine[];
};

export type AccountsApiOptions = {
  rules?: Partial<LimitRules>;
  tokenTtlSeconds?: number;
  rateStores?: RateStores;
};

const lenient = {
  apiPerMinute: 10_000,
  eventsPerMinute: 10_000,
  tokenPerLogin: 10_000,
  tokenPerIp: 10_000,
};

/** The operations of accounts on a real HTTP server, with limits nobody reaches by accident. */
export const startAccountsApi = async (
  db: Db,
  { rules = {}, tokenTtlSeconds = 86_400, rateStores }: AccountsApiOptions = {},
): Promise<AccountsApi> => {
  const limits = createLimits({ ...lenient, ...rules }, rateStores ?? memoryRateStores);
  const passwords = createPasswords();
  const warnings: LogLine[] = [];
  const warn = (fields: object, event: string) =>
    void warnings.push({ level: "warn", fields: { ...fields }, event });
  const accounts = createAccounts({
    db,
    ids: randomIds,
    passwords,
    limits,
    tokenTtlSeconds,
    log: { warn } as never,
  });
  const api = await startApi({
    routes: createAccountRoutes({ accounts, baseUrl: testBaseUrl }),
    authenticate: accounts.authenticate,
    limits,
  });
  return { ...api, accounts, passwords, warnings };
};
