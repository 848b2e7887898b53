/** The French texts; the English ones are in the page itself. */
import { firstLanguage } from "../shared/language.ts";

const fr: Readonly<Record<string, string>> = {
  contacts: "Contacts",
  orders: "Commandes",
  back: "Sightline",
  title: "Le module agent dans votre propre page",
  lead: "Imaginez que cette page est votre propre système. Elle charge un seul script de Sightline, qui ajoute la discussion avec les clients des tickets, la présence des collègues et les appels.",
  signIn: "Connexion",
  signInWarning:
    "Dans votre système, le serveur appelle POST /api/token, car la requête contient un mot de passe. Cette page le fait dans le navigateur uniquement parce que c’est une démonstration.",
  login: "Identifiant",
  password: "Mot de passe",
  signInButton: "Obtenir un jeton",
  load: "Charger le script",
  loadButton: "loadAgent(…)",
  talk: "Parler à un client",
  talkText:
    "Un ticket réunit un agent et un client. Créez-en un et jouez les deux rôles. call(destId) affiche l’appel vidéo dans la fenêtre de discussion.",
  newTicket: "Nouveau ticket",
  customer: "Côté client",
  customerPage: "Rejoindre l’appel en tant que client",
  customerWrite: "Écrire en tant que client",
  send: "Envoyer",
  log: "Rappels reçus",
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
    "You are in the CRM’s orders. With useFrame, a call stays open across this change of page.",
  me: "Customer",
  agent: "Agent",
};

/** A text that the page's script shows. */
export function say(key: string): string {
  return (language === "fr" ? fr : en)[key] ?? key;
}

/** Translates the page into the reader's language. */
export function translate(): void {
  document.documentElement.lang = language;
  if (language === "fr") {
    for (const element of document.querySelectorAll<HTMLElement>("[data-t]")) {
      element.textContent = fr[element.dataset["t"] ?? ""] ?? element.textContent;
    }
  }
}
