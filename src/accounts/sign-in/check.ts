/**
 * Login and password. In: credentials and the client. Out: the user.
 *
 * Only failures count. Failing on purpose cannot lock a user out:
 *
 * - An unknown client (see throttling.ts) is rejected after five failures with a login in 15
 *   minutes, even with the right password.
 * - The failures of all unknown clients together throttle the login for these clients: from the
 *   tenth failure on, passwords are checked at a fixed rate, queued fairly by network.
 * - A known client has a counter of its own. If that counter or the limit of its address is
 *   reached, the client is throttled to the same rate instead of rejected.
 */
import { createHash } from "node:crypto";
import { problem } from "../../contracts/problems.ts";
import type { Limits } from "../../http/limits.ts";
import { rateLimited, type RateVerdict } from "../../http/rate-limit.ts";
import type { Db } from "../../platform/db/pool.ts";
import type { Requester } from "../../platform/concurrency/queues.ts";
import type { Logger } from "../../platform/logger.ts";
import { networkBlock } from "../../platform/net/client-network.ts";
import { type LoginUser, findLoginUser, foldLogin, replacePasswordHash } from "../token-store.ts";
import type { Passwords } from "../credentials.ts";
import { createLoginPacer, type KnownClients, type SignInClient } from "./throttling.ts";

export type SignInCheckDeps = Readonly<{
  db: Db;
  passwords: Passwords;
  knownClients: Pick<KnownClients, "find">;
  limits: Pick<Limits, "badLogin" | "loginFailures" | "loginPace">;
  log: Pick<Logger, "warn">;
}>;

/** The credentials and the client of a sign-in. */
export type SignInRequest = Readonly<{
  login: string;
  password: string;
  client: SignInClient;
  /** The verdict of the address limit, if the limit is reached. */
  overLimit?: RateVerdict | undefined;
}>;

/** Resolves with the authenticated user; rejects with the problem to answer. */
export type SignInCheck = (input: SignInRequest) => Promise<LoginUser>;

type SignInAttempt = Readonly<{
  request: SignInRequest;
  requester: Requester;
  isKnown: boolean;
  /** Key of the counters. Hashed, so that it has a bounded length and the store holds no logins. */
  loginKey: string;
  clientKey: string;
  hasWaited: boolean;
}>;

export function createSignInCheck(deps: SignInCheckDeps): SignInCheck {
  const pacer = createLoginPacer({ pace: deps.limits.loginPace });
  return async (input) => {
    const attempt = await identify(deps, input);
    const { isKnown, loginKey, clientKey, requester } = attempt;
    if (input.overLimit !== undefined && !isKnown) {
      throw rateLimited(input.overLimit, "Too many failed logins.");
    }
    const first = await tryPassword(deps, attempt);
    if (first !== "throttle") {
      return first;
    }
    await pacer.wait(isKnown ? clientKey : loginKey, requester);
    const second = await tryPassword(deps, { ...attempt, hasWaited: true });
    if (second === "throttle") {
      throw new Error("The attempt was already queued");
    }
    return second;
  };
}

async function identify(
  { db, knownClients }: SignInCheckDeps,
  input: SignInRequest,
): Promise<SignInAttempt> {
  const { login, client } = input;
  const knownBy = await knownClients.find(db, login, client);
  const isKnown = knownBy !== undefined;
  const loginKey = hashLogin(await foldLogin(db, login));
  const from = knownBy === "browser" ? hashBrowser(client.browser) : client.network;
  return {
    request: input,
    isKnown,
    loginKey,
    clientKey: `${loginKey}:${from}`,
    requester: { group: networkBlock(client.network), isPreferred: isKnown },
    hasWaited: false,
  };
}

function hashLogin(login: string): string {
  return createHash("sha256").update(login).digest("base64url");
}

function hashBrowser(id = ""): string {
  return createHash("sha256").update(id).digest("base64url");
}

/**
 * Reads the counters inside the hash limiter, so that parallel guesses count like sequential ones.
 * An unknown login takes the same time as a wrong password.
 */
function tryPassword(
  deps: SignInCheckDeps,
  attempt: SignInAttempt,
): Promise<LoginUser | "throttle"> {
  return deps.passwords.limitHashing(attempt.requester, async () => {
    const { request, clientKey, hasWaited } = attempt;
    const { isThrottled, hasFailed } = await checkFailureCounts(deps, attempt);
    if (isThrottled && !hasWaited) {
      return "throttle";
    }
    const user = await findLoginUser(deps.db, request.login);
    logThrottledSignIn(deps, attempt, user);
    const { isCorrect, isOutdated } = await deps.passwords.check(
      user?.passwordHash,
      request.password,
    );
    if (user === undefined || !isCorrect || !user.isActive) {
      await countFailure(deps, attempt);
      throw invalidLogin();
    }
    if (hasFailed) {
      await deps.limits.badLogin.reset(clientKey);
    }
    return isOutdated ? renewHash(deps, user, request) : user;
  });
}

type FailureState = Readonly<{ hasFailed: boolean; isThrottled: boolean }>;

/** Throws if the client is rejected. Returns whether it must wait for the pacer. */
async function checkFailureCounts(
  { limits }: SignInCheckDeps,
  attempt: SignInAttempt,
): Promise<FailureState> {
  const { request, isKnown, loginKey, clientKey } = attempt;
  const failures = await limits.badLogin.peek(clientKey);
  const hasFailed = failures.remaining < failures.limit;
  if (isKnown) {
    return { hasFailed, isThrottled: !failures.isAllowed || request.overLimit !== undefined };
  }
  if (!failures.isAllowed) {
    throw rateLimited(failures, "Too many failed logins.");
  }
  const ofAll = await limits.loginFailures.peek(loginKey);
  return { hasFailed, isThrottled: !ofAll.isAllowed };
}

/** At most one log line per checked password, which bounds the log rate. */
function logThrottledSignIn(
  { log }: SignInCheckDeps,
  { hasWaited, isKnown }: SignInAttempt,
  user: LoginUser | undefined,
): void {
  if (hasWaited && user !== undefined) {
    const { enterpriseId, userId } = user;
    log.warn({ enterpriseId, userId, isKnown }, "sign_in.throttled");
  }
}

async function countFailure({ limits }: SignInCheckDeps, attempt: SignInAttempt): Promise<void> {
  await limits.badLogin.take(attempt.clientKey);
  if (!attempt.isKnown) {
    await limits.loginFailures.take(attempt.loginKey);
  }
}

export function invalidLogin() {
  return problem("bad_login", "The login or the password is wrong.", {
    error: "invalid_grant",
    headers: { "WWW-Authenticate": 'Bearer realm="api"' },
  });
}

/**
 * Upgrades an outdated hash. Returns the user with the stored hash, which a concurrent sign-in may
 * have written.
 */
async function renewHash(
  { db, passwords }: Pick<SignInCheckDeps, "db" | "passwords">,
  user: LoginUser,
  { login, password }: SignInRequest,
): Promise<LoginUser> {
  const passwordHash = await passwords.hash(password);
  if (await replacePasswordHash(db, user, passwordHash)) {
    return { ...user, passwordHash };
  }
  const present = await findLoginUser(db, login);
  const { isCorrect } = await passwords.check(present?.passwordHash, password);
  return present !== undefined && isCorrect ? present : user;
}
