/**
 * Links for external e-mail addresses. A link confirms the address or unsubscribes it. Links are
 * signed, not stored, so that every alert can contain one.
 */
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { noticeTexts } from "../notices/mail-texts.ts";

export type EmailLinks = Readonly<{
  /** The page that confirms or unsubscribes the address. */
  linkTo(email: Readonly<{ id: number; email: string }>): string;
  /** The id in a token, not verified: see `isSigned`. */
  idOf(token: string): number | undefined;
  isSigned(token: string, email: Readonly<{ id: number; email: string }>): boolean;
}>;

/** The mail that asks an external address to confirm the alerts of an enterprise. Pure. */
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

/** The company's name is user input: replaced in one pass, and put on one line. */
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
