/** One-time tokens by mail that set a new password. */
import type { Language } from "../contracts/languages.ts";
import type { AuditLog } from "../contracts/audit.ts";
import { maskedValue } from "../contracts/request-headers.ts";
import { problem } from "../contracts/problems.ts";
import type { Db, Trx } from "../platform/db/pool.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import type { Ids } from "../platform/ids.ts";
import { networkBlock } from "../platform/net/client-network.ts";
import type { QueuePrivateMail } from "../contracts/invitations.ts";
import { type TokenOwner, findLoginUser, insertToken, newToken } from "./token-store.ts";
import {
  countResetTokens,
  findResetTokenOwner,
  type Passwords,
  revokeAllAccess,
  revokeResetTokens,
  setPasswordHash,
} from "./credentials.ts";
import type { KnownClients } from "./sign-in/throttling.ts";
import { hashToken } from "./identities.ts";
import { findEnterpriseProfile } from "./recipients-store.ts";
import { checkPassword } from "./users/model.ts";
import { lockUser } from "./users/store.ts";

export type PasswordResetDeps = Readonly<{
  db: Db;
  ids: Pick<Ids, "bytes" | "uuid">;
  passwords: Pick<Passwords, "hash" | "limitHashing">;
  knownClients: Pick<KnownClients, "remember">;
  audit: AuditLog<Trx>;
  queueMail: QueuePrivateMail<Trx>;
  /** Public address, without a trailing slash. */
  baseUrl: string;
}>;

export type PasswordResetOrder = TokenOwner &
  Readonly<{
    login: string;
    email: string;
    /** Null: that of the enterprise. */
    language: Language | null;
    createdBy: number | null;
  }>;

export type NewPassword = Readonly<{ token: string; password: string; clientNetwork: string }>;

export type PasswordResets = {
  /** Mails a link in the transaction of the request. Revokes earlier links. */
  send(trx: Trx, order: PasswordResetOrder): Promise<void>;
  /**
   * Mails a link if the login is active and has an address. The answer is the same otherwise.
   * Limited to one link in five minutes and three per hour.
   */
  request(login: string, requestId: string): Promise<void>;
  /**
   * Sets the password and revokes all tokens of the user. A reset token works once. The network of
   * the request becomes a known client.
   */
  redeem(chosen: NewPassword, requestId: string): Promise<void>;
};

const ttlSeconds = 3_600;

export function createPasswordResets(deps: PasswordResetDeps): PasswordResets {
  return {
    send: (trx, order) => sendResetLink(deps, trx, order),
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
      if ((await findResetTokenOwner(deps.db, hash)) === undefined) {
        throw linkExpired(); // rejected before the expensive hash
      }
      const passwordHash = await deps.passwords.limitHashing(
        { group: networkBlock(clientNetwork), isPreferred: true },
        () => deps.passwords.hash(password),
      );
      await inTransaction(deps.db, async (trx) => {
        const claimed = await findResetTokenOwner(trx, hash);
        const user = claimed && (await lockUser(trx, claimed.enterpriseId, claimed.userId));
        // Checked again under the lock: a concurrent use may have committed.
        const owner = user && (await findResetTokenOwner(trx, hash));
        if (owner === undefined) {
          throw linkExpired();
        }
        await setPasswordHash(trx, owner, passwordHash);
        await revokeAllAccess(trx, owner);
        await deps.knownClients.remember(trx, owner, { network: clientNetwork });
        await deps.audit.write(trx, {
          ...owner,
          action: "reset",
          object: "user",
          objectId: owner.userId,
          changes: { password: { to: maskedValue } },
          requestId,
        });
      });
    },
  };
}

/** Per user. Links sent by administrators count, but are never rejected. */
const resetLimits = [
  { most: 1, withinSeconds: 300 },
  { most: 3, withinSeconds: ttlSeconds },
];

async function sendOnRequest(
  deps: PasswordResetDeps,
  trx: Trx,
  owner: TokenOwner,
  requestId: string,
): Promise<void> {
  const user = await lockUser(trx, owner.enterpriseId, owner.userId);
  if (user === undefined || !user.isActive || user.email === "") {
    return;
  }
  for (const { most, withinSeconds } of resetLimits) {
    if ((await countResetTokens(trx, owner, withinSeconds)) >= most) {
      return;
    }
  }
  const { login, email, language } = user;
  await sendResetLink(deps, trx, { ...owner, login, email, language, createdBy: null });
  await deps.audit.write(trx, {
    enterpriseId: owner.enterpriseId,
    userId: null, // the caller is not authenticated
    login: "",
    action: "reset",
    object: "user",
    objectId: owner.userId,
    changes: {},
    requestId,
  });
}

async function sendResetLink(
  deps: PasswordResetDeps,
  trx: Trx,
  order: PasswordResetOrder,
): Promise<void> {
  const { token, hash } = newToken(deps.ids);
  await revokeResetTokens(trx, order);
  const family = deps.ids.uuid();
  await insertToken(trx, { hash, owner: order, kind: "reset", family, ttlSeconds });
  // In the fragment, so that it is neither in server logs nor in the Referer header.
  const link = `${deps.baseUrl}/password#token=${token}`;
  const { enterpriseId } = order;
  const language = order.language ?? (await findEnterpriseProfile(trx, enterpriseId)).language;
  await deps.queueMail(trx, {
    enterpriseId,
    to: order.email,
    ...resetMail(language, link, order.login),
    createdBy: order.createdBy,
  });
}

function linkExpired() {
  return problem("gone", "The link is unknown, expired or already used. Request a new one.");
}

type ResetMailTexts = { subject: string; before: string; after: string };

const resetMailTexts: Record<Language, ResetMailTexts> = {
  fr: {
    subject: "Choisissez votre mot de passe",
    before: "Ouvrez ce lien pour choisir un nouveau mot de passe :",
    after: "Il est valable une heure et une seule fois.",
  },
  en: {
    subject: "Choose your password",
    before: "Open this link to choose a new password:",
    after: "The link is valid for one hour and can be used once.",
  },
  es: {
    subject: "Elija su contraseña",
    before: "Abra este enlace para elegir una nueva contraseña:",
    after: "Es válido durante una hora y una sola vez.",
  },
  de: {
    subject: "Wählen Sie Ihr Passwort",
    before: "Öffnen Sie diesen Link, um ein neues Passwort zu wählen:",
    after: "Er gilt eine Stunde und nur einmal.",
  },
  it: {
    subject: "Scelga la sua password",
    before: "Apra questo link per scegliere una nuova password:",
    after: "È valido per un'ora e una sola volta.",
  },
  nl: {
    subject: "Kies uw wachtwoord",
    before: "Open deze link om een nieuw wachtwoord te kiezen:",
    after: "Hij werkt een uur lang en maar één keer.",
  },
  pt: {
    subject: "Escolha a sua palavra-passe",
    before: "Abra esta ligação para escolher uma nova palavra-passe:",
    after: "É válida durante uma hora e uma só vez.",
  },
};

/** The password-reset mail. Pure. */
function resetMail(
  language: Language,
  link: string,
  login: string,
): { subject: string; text: string } {
  const { subject, before, after } = resetMailTexts[language];
  return { subject, text: `${login}\n\n${before}\n${link}\n\n${after}\n` };
}
