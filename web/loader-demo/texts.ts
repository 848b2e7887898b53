/** What the page says in French; English stands in the page itself. */
import { firstLanguage } from "../shared/language.ts";

const fr: Readonly<Record<string, string>> = {
  contacts: "Contacts",
  orders: "Commandes",
  back: "Sightline",
  title: "L’agent dans la page de quelqu’un d’autre",
  lead: "Imaginez que cette page est votre propre système. Elle charge un seul script de Sightline et obtient la discussion avec les clients de ses tickets, les collègues présents et les appels.",
  signIn: "Connexion",
  signInWarning:
    "Dans votre système, c’est le serveur qui appelle POST /api/token, car un mot de passe y passe en clair. Cette page le fait dans le navigateur uniquement parce qu’elle est une démonstration.",
  login: "Identifiant",
  password: "Mot de passe",
  signInButton: "Obtenir un jeton",
  load: "Charger le script",
  loadButton: "loadAgent(…)",
  talk: "Parler à un client",
  talkText: "Un ticket réunit l’agent et un client. Créez-en un et soyez les deux.",
  newTicket: "Nouveau ticket",
  customer: "Côté client",
  customerWrite: "Écrire en tant que client",
  send: "Envoyer",
  log: "Chaque rappel, au fur et à mesure",
  logText: "agentAppCallback(agent, type, params) : le plus récent en haut.",
  logEmpty: "Rien pour l’instant. Chargez d’abord le script.",
  signedIn: "Connecté :",
  refused: "Refusé :",
  placeContacts: "Vous êtes dans les contacts du CRM.",
  placeOrders:
    "Vous êtes dans les commandes du CRM. Avec useFrame, un appel reste ouvert pendant ce changement de page.",
  me: "Client",
  agent: "Agent",
};

export const language = firstLanguage();

const en: Readonly<Record<string, string>> = {
  signedIn: "Signed in:",
  refused: "Refused:",
  placeContacts: "You are in the CRM’s contacts.",
  placeOrders:
    "You are in the CRM’s orders. With useFrame a call stays open over this change of pages.",
  me: "Customer",
  agent: "Agent",
};

/** A text that the page's script shows. */
export function say(key: string): string {
  return (language === "fr" ? fr : en)[key] ?? key;
}

/** Puts the page into the reader's language. */
export function translate(): void {
  document.documentElement.lang = language;
  if (language === "fr") {
    for (const element of document.querySelectorAll<HTMLElement>("[data-t]")) {
      element.textContent = fr[element.dataset["t"] ?? ""] ?? element.textContent;
    }
  }
}
