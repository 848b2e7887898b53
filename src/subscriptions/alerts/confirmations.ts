/** Confirms or unsubscribes an external address by the link in a mail, without signing in. */
import { problem } from "../../contracts/problems.ts";
import type { Clock } from "../../platform/clock.ts";
import { type Db, type Queryable, type Trx, rowsOf } from "../../platform/db/pool.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { AuditLog } from "../../contracts/audit.ts";
import { maskedValue } from "../../contracts/request-headers.ts";
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { noticeTexts } from "../notices/mail-texts.ts";

export type ConfirmationDeps = Readonly<{
  db: Db;
  clock: Clock;
  audit: AuditLog<Trx>;
  links: EmailLinks;
  findCompany(db: Queryable, enterpriseId: number): Promise<{ name: string; language: string }>;
}>;

export type Confirmations = Readonly<{
  confirm(token: string, requestId: string): Promise<{ email: string; company: string }>;
  /** Does nothing if the address was already removed. */
  stop(token: string, requestId: string): Promise<void>;
}>;

/** External addresses of alerts, and whether they are confirmed. */
export type StoredEmail = Readonly<{
  id: number;
  enterpriseId: number;
  email: string;
  created: Date;
  confirmed: Date | null;
}>;

type AlertEmailRow = {
  id: number;
  enterprise_id: number;
  email: string;
  created_at: Date;
  confirmed_at: Date | null;
};

const columns = "id, enterprise_id, email, created_at, confirmed_at";

/**
 * Links for external email addresses. A link confirms the address or unsubscribes it. Links are
 * signed, not stored, so that every alert can contain one.
 */
export type EmailLinks = Readonly<{
  /** The page that confirms or unsubscribes the address. */
  linkTo(email: Readonly<{ id: number; email: string }>): string;
  /** The id in a token, not verified: see `isSigned`. */
  idOf(token: string): number | undefined;
  isSigned(token: string, email: Readonly<{ id: number; email: string }>): boolean;
}>;

type ConfirmLocale = keyof typeof noticeTexts;

type ConfirmTexts = Readonly<{ subject: string; asked: string; open: string; otherwise: string }>;

const confirmTexts: Record<ConfirmLocale, ConfirmTexts> = {
  en: {
    subject: "Alerts of {company}: confirm this address",
    asked: "{company} wants to send alerts about its webhooks to this address.",
    open: "To confirm, open this link. It is valid for seven days:",
    otherwise: "If you do not want these mails, ignore this one. You will not receive any others.",
  },
  fr: {
    subject: "Alertes de {company} : confirmez cette adresse",
    asked: "{company} souhaite envoyer à cette adresse des alertes sur ses webhooks.",
    open: "Ouvrez ce lien pour confirmer. Il est valable sept jours :",
    otherwise: "Si vous ne souhaitez pas recevoir ces e-mails, ne faites rien : aucun autre envoi.",
  },
  es: {
    subject: "Alertas de {company}: confirme esta dirección",
    asked: "{company} desea enviar a esta dirección alertas sobre sus webhooks.",
    open: "Abra este enlace para confirmar. Es válido durante siete días:",
    otherwise: "Si no desea estos correos, no haga nada: no se enviará nada más.",
  },
  de: {
    subject: "Warnungen von {company}: Adresse bestätigen",
    asked: "{company} möchte Warnungen zu seinen Webhooks an diese Adresse senden.",
    open: "Öffnen Sie diesen Link, um zu bestätigen. Er gilt sieben Tage:",
    otherwise: "Wenn Sie diese Mails nicht möchten, tun Sie nichts: Es wird nichts mehr gesendet.",
  },
  it: {
    subject: "Avvisi di {company}: confermi questo indirizzo",
    asked: "{company} desidera inviare a questo indirizzo avvisi sui propri webhook.",
    open: "Apra questo link per confermare. È valido per sette giorni:",
    otherwise: "Se non desidera queste e-mail, non faccia nulla: non sarà inviato altro.",
  },
  nl: {
    subject: "Waarschuwingen van {company}: bevestig dit adres",
    asked: "{company} wil waarschuwingen over zijn webhooks naar dit adres sturen.",
    open: "Open deze link om te bevestigen. Hij werkt zeven dagen:",
    otherwise: "Wilt u deze mails niet, doe dan niets: er wordt niets meer verzonden.",
  },
  pt: {
    subject: "Alertas de {company}: confirme este endereço",
    asked: "{company} deseja enviar para este endereço alertas sobre os seus webhooks.",
    open: "Abra esta ligação para confirmar. É válida durante sete dias:",
    otherwise: "Se não pretende estas mensagens, não faça nada: nada mais será enviado.",
  },
};

const confirmWithinMs = 7 * 86_400_000;

export function createConfirmations(deps: ConfirmationDeps): Confirmations {
  const { clock, findCompany } = deps;
  return {
    confirm: (token, requestId) =>
      withEmail(deps, token, async (trx, found) => {
        const isLate =
          found?.confirmed === null &&
          clock.now().getTime() - found.created.getTime() > confirmWithinMs;
        if (found === undefined || isLate) {
          throw linkExpired();
        }
        if (found.confirmed === null) {
          await confirmEmail(trx, found.id, clock.now());
          await auditLink(deps, trx, found, { change: "confirmed", requestId });
        }
        const { name } = await findCompany(trx, found.enterpriseId);
        return { email: found.email, company: name };
      }),
    stop: (token, requestId) =>
      withEmail(deps, token, async (trx, found) => {
        if (found !== undefined) {
          await deleteEmails(trx, found.enterpriseId, [found.id]);
          await auditLink(deps, trx, found, { change: "stopped", requestId });
        }
      }),
  };
}

/** Runs `work` with the address of a token, locked. */
async function withEmail<T>(
  { db, links }: ConfirmationDeps,
  token: string,
  work: (trx: Trx, email: StoredEmail | undefined) => Promise<T>,
): Promise<T> {
  const id = links.idOf(token);
  if (id === undefined) {
    throw linkExpired();
  }
  return inTransaction(db, async (trx) => {
    const found = await lockEmail(trx, id);
    if (found !== undefined && !links.isSigned(token, found)) {
      throw linkExpired();
    }
    return work(trx, found);
  });
}

function linkExpired() {
  return problem("gone", "The link is unknown or expired. Request a new one.");
}

/** By the id of a signed link, in all enterprises. Locked until the transaction ends. */
async function lockEmail(trx: Trx, id: number): Promise<StoredEmail | undefined> {
  const [row] = await rowsOf<AlertEmailRow>(
    trx,
    `SELECT ${columns} FROM alert_emails WHERE id = ? FOR UPDATE`,
    [id],
  );
  return row && toEmail(row);
}

async function confirmEmail(trx: Trx, id: number, at: Date): Promise<void> {
  await rowsOf(trx, "UPDATE alert_emails SET confirmed_at = ? WHERE id = ?", [at, id]);
}

async function auditLink(
  { audit }: ConfirmationDeps,
  trx: Trx,
  { enterpriseId }: StoredEmail,
  { change, requestId }: { change: "confirmed" | "stopped"; requestId: string },
): Promise<void> {
  const byNobody = { userId: null, login: "", action: "update", object: "alert" } as const;
  const changes = { [change]: { to: maskedValue } };
  await audit.write(trx, {
    ...byNobody,
    ...{ enterpriseId, objectId: enterpriseId, changes, requestId },
  });
}

export async function deleteEmails(
  trx: Trx,
  enterpriseId: number,
  ids: readonly number[],
): Promise<void> {
  await rowsOf(trx, "DELETE FROM alert_emails WHERE enterprise_id = ? AND id = ANY(?::bigint[])", [
    enterpriseId,
    ids,
  ]);
}

export async function listEmails(db: Queryable, enterpriseId: number): Promise<StoredEmail[]> {
  const rows = await rowsOf<AlertEmailRow>(
    db,
    `SELECT ${columns} FROM alert_emails WHERE enterprise_id = ? ORDER BY id`,
    [enterpriseId],
  );
  return rows.map(toEmail);
}

export async function insertEmail(
  trx: Trx,
  { enterpriseId, email, at }: { enterpriseId: number; email: string; at: Date },
): Promise<StoredEmail> {
  const [row] = await rowsOf<AlertEmailRow>(
    trx,
    `INSERT INTO alert_emails (enterprise_id, email, created_at) VALUES (?, ?, ?)
     RETURNING ${columns}`,
    [enterpriseId, email, at],
  );
  if (row === undefined) {
    throw new Error("The address was not stored");
  }
  return toEmail(row);
}

function toEmail(row: AlertEmailRow): StoredEmail {
  return {
    id: row.id,
    enterpriseId: row.enterprise_id,
    email: row.email,
    created: row.created_at,
    confirmed: row.confirmed_at,
  };
}

export function createEmailLinks({
  secretKey,
  baseUrl,
}: Readonly<{ secretKey: Buffer; baseUrl: string }>): EmailLinks {
  const key = Buffer.from(hkdfSync("sha256", secretKey, "", "sightline alert link 1", 32));
  const tokenOf = ({ id, email }: Readonly<{ id: number; email: string }>): string =>
    `${id}.${createHmac("sha256", key).update(`${id}\n${email}`).digest("base64url")}`;
  return {
    // In the fragment, which appears in no server log and no Referer header.
    linkTo: (email) => `${baseUrl}/alerts#token=${tokenOf(email)}`,
    idOf: (token) => {
      const [, id] = /^(\d{1,15})\.[\w-]{43}$/u.exec(token) ?? [];
      return id === undefined ? undefined : Number(id);
    },
    isSigned: (token, email) => {
      const expected = Buffer.from(tokenOf(email));
      const input = Buffer.from(token);
      return expected.length === input.length && timingSafeEqual(expected, input);
    },
  };
}

/**
 * The mail that asks an external address to confirm the alerts of an enterprise. The company's name
 * is user input: replaced in one pass, and put on one line. Pure.
 */
export function confirmMail(
  { name, language }: Readonly<{ name: string; language: string }>,
  link: string,
): { subject: string; text: string } {
  const { subject, asked, open, otherwise } = confirmTexts[isKnown(language) ? language : "en"];
  const company = name.replaceAll(/\s+/gu, " ");
  const fill = (text: string): string => text.replaceAll("{company}", () => company);
  return { subject: fill(subject), text: `${fill(asked)}\n\n${open}\n${link}\n\n${otherwise}\n` };
}

function isKnown(language: string): language is ConfirmLocale {
  return Object.hasOwn(confirmTexts, language);
}
