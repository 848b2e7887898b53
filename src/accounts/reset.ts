/** One-time tokens by mail that set a new password. */
import { problem } from "../contracts/problems.ts";
import { inTransaction, type Db, type Trx } from "../platform/db/pool.ts";
import type { Ids } from "../platform/ids.ts";
import { networkBlock } from "../platform/net/client-network.ts";
import { masked } from "./changes.ts";
import type { Language } from "./fields.ts";
import type { TokenOwner } from "./model.ts";
import type { Passwords } from "./password.ts";
import type { Audit, QueueMail } from "./ports.ts";
import { resetMail } from "./reset-mail.ts";
import type { KnownClients } from "./sign-in/known-clients.ts";
import { findLoginUser, insertToken } from "./store.ts";
import { hashToken, newToken } from "./token.ts";
import {
  countResets,
  deleteTokensOf,
  endResetTokensOf,
  findResetOwner,
  setPasswordHash,
} from "./tokens-store.ts";
import { checkPassword } from "./users/model.ts";
import { lockUser } from "./users/store.ts";

export type ResetDeps = Readonly<{
  db: Db;
  ids: Pick<Ids, "bytes" | "uuid">;
  passwords: Pick<Passwords, "hash" | "inTurn">;
  knownClients: Pick<KnownClients, "remember">;
  audit: Audit;
  queueMail: QueueMail;
  /** Public address without a slash at the end. */
  baseUrl: string;
}>;

export type ResetOrder = TokenOwner &
  Readonly<{ login: string; email: string; language: Language; createdBy: number | null }>;

export type NewPassword = Readonly<{ token: string; password: string; clientNetwork: string }>;

export type Resets = {
  /** Mails a link to the user, in the transaction that asks for it. Earlier links end. */
  send(trx: Trx, order: ResetOrder): Promise<void>;
  /**
   * Mails a link to whoever has the login, where they are active and have an address; else nothing
   * happens, and nothing tells the two apart. At most every five minutes and three times an hour,
   * so that who asks for somebody else neither floods them nor keeps ending their link.
   */
  request(login: string, requestId: string): Promise<void>;
  /**
   * Sets the password and ends every token of the user. A token works once. The network that it
   * comes from is known as the user's from then on.
   */
  redeem(chosen: NewPassword, requestId: string): Promise<void>;
};

const ttlSeconds = 3_600;

export function createResets(deps: ResetDeps): Resets {
  return {
    send: (trx, order) => send(deps, trx, order),
    request: async (login, requestId) => {
      const found = await findLoginUser(deps.db, login);
      if (found !== undefined) {
        const { enterpriseId, userId } = found;
        await inTransaction(deps.db, (trx) =>
          sendOnRequest(deps, trx, { enterpriseId, userId }, requestId),
        );
      }
    },
    redeem: async ({ token, password, clientNetwork }, requestId) => {
      checkPassword(password);
      const hash = hashToken(token);
      if ((await findResetOwner(deps.db, hash)) === undefined) {
        throw over(); // before a hash is made for it
      }
      const passwordHash = await deps.passwords.inTurn(
        { group: networkBlock(clientNetwork), isPreferred: true },
        () => deps.passwords.hash(password),
      );
      await inTransaction(deps.db, async (trx) => {
        const claimed = await findResetOwner(trx, hash);
        const user = claimed && (await lockUser(trx, claimed.enterpriseId, claimed.userId));
        // Locked now: who used it meanwhile has committed.
        const owner = user && (await findResetOwner(trx, hash));
        if (owner === undefined) {
          throw over();
        }
        await setPasswordHash(trx, owner, passwordHash);
        await deleteTokensOf(trx, owner);
        await deps.knownClients.remember(trx, owner, { network: clientNetwork });
        await deps.audit.write(trx, {
          ...owner,
          action: "reset",
          object: "user",
          objectId: owner.userId,
          changes: { password: { to: masked } },
          requestId,
        });
      });
    },
  };
}

/** Of one user. What an administrator sends counts, and is never held back. */
const bounds = [
  { most: 1, withinSeconds: 300 },
  { most: 3, withinSeconds: ttlSeconds },
];

async function sendOnRequest(
  deps: ResetDeps,
  trx: Trx,
  owner: TokenOwner,
  requestId: string,
): Promise<void> {
  const user = await lockUser(trx, owner.enterpriseId, owner.userId);
  if (user === undefined || !user.isActive || user.email === "") {
    return;
  }
  for (const { most, withinSeconds } of bounds) {
    if ((await countResets(trx, owner, withinSeconds)) >= most) {
      return;
    }
  }
  const { login, email, language } = user;
  const order = { ...owner, login, email, language: language ?? "en", createdBy: null };
  await send(deps, trx, order);
  await deps.audit.write(trx, {
    enterpriseId: owner.enterpriseId,
    userId: null, // anybody may have asked
    login: "",
    action: "reset",
    object: "user",
    objectId: owner.userId,
    changes: {},
    requestId,
  });
}

async function send(deps: ResetDeps, trx: Trx, order: ResetOrder): Promise<void> {
  const { token, hash } = newToken(deps.ids);
  await endResetTokensOf(trx, order);
  const family = deps.ids.uuid();
  await insertToken(trx, { hash, owner: order, kind: "reset", family, ttlSeconds });
  // In the fragment: it reaches no server log and no Referer header.
  const link = `${deps.baseUrl}/password#token=${token}`;
  await deps.queueMail(trx, {
    enterpriseId: order.enterpriseId,
    to: order.email,
    ...resetMail(order.language, link, order.login),
    createdBy: order.createdBy,
  });
}

function over() {
  return problem("gone", "The link is unknown, expired or used. Ask for a new one.");
}
