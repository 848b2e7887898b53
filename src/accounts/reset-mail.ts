/** The mail that leads a user to a new password, in their language. Pure. */
import type { Language } from "./fields.ts";

type Words = { subject: string; before: string; after: string };

const words: Record<Language, Words> = {
  fr: {
    subject: "Choisissez votre mot de passe",
    before: "Ouvrez ce lien pour choisir un nouveau mot de passe :",
    after: "Il est valable une heure et une seule fois.",
  },
  en: {
    subject: "Choose your password",
    before: "Open this link to choose a new password:",
    after: "It works for one hour and only once.",
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

export function resetMail(
  language: Language,
  link: string,
  login: string,
): { subject: string; text: string } {
  const { subject, before, after } = words[language];
  return { subject, text: `${login}\n\n${before}\n${link}\n\n${after}\n` };
}
