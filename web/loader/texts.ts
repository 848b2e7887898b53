/** Everything that the module says to an agent. */
export type Language = "en" | "fr";

const en = {
  boxes: "Conversations",
  box: (name: string) => `Conversation with ${name}`,
  ticket: (id: number) => `Ticket ${id}`,
  colleague: "Colleague",
  minimize: "Minimise",
  maximize: "Open",
  close: "Close",
  call: "Video call",
  calling: "The call is open in another tab.",
  callBlocked: "Your browser kept the call's tab from opening.",
  openCall: "Open it",
  endCall: "End the call",
  messages: "Messages",
  write: "Write a message",
  send: "Send",
  sending: "sending…",
  notSent: "not sent",
  again: "Send again",
  older: "Earlier messages",
  you: "You",
  isOver: "This conversation is over.",
  offline: "No connection. Trying again…",
  signedOut: "Your session is over. Sign in again and load this page anew.",
  empty: "Nothing was written yet.",
  directory: "Colleagues",
  noColleagues: "There is nobody else yet.",
  find: "Find a colleague",
  online: "online",
  away: "offline",
  shown: "Others see you online",
  hidden: "Others see you offline",
  unread: (count: number) => (count === 1 ? "1 new message" : `${count} new messages`),
  faults: {
    forbidden: "You may not do this.",
    not_found: "It was not found.",
    conflict: "It is over.",
    rate_limited: "That was too fast. Wait a moment.",
    invalid_parameter: "This cannot be sent.",
    other: "That did not work. Try again.",
  } as Record<string, string>,
};

export type Texts = typeof en;

/** The first of the wanted languages that there is, else English. */
export function languageOf(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const language = tag.slice(0, 2).toLowerCase();
    if (language === "en" || language === "fr") {
      return language;
    }
  }
  return "en";
}

const fr: Texts = {
  boxes: "Conversations",
  box: (name) => `Conversation avec ${name}`,
  ticket: (id) => `Ticket ${id}`,
  colleague: "Collègue",
  minimize: "Réduire",
  maximize: "Ouvrir",
  close: "Fermer",
  call: "Appel vidéo",
  calling: "L’appel est ouvert dans un autre onglet.",
  callBlocked: "Votre navigateur a empêché l’ouverture de l’onglet de l’appel.",
  openCall: "L’ouvrir",
  endCall: "Terminer l’appel",
  messages: "Messages",
  write: "Écrire un message",
  send: "Envoyer",
  sending: "envoi…",
  notSent: "non envoyé",
  again: "Renvoyer",
  older: "Messages précédents",
  you: "Vous",
  isOver: "Cette conversation est terminée.",
  offline: "Pas de connexion. Nouvelle tentative…",
  signedOut: "Votre session est terminée. Reconnectez-vous et rechargez cette page.",
  empty: "Rien n’a encore été écrit.",
  directory: "Collègues",
  noColleagues: "Il n’y a encore personne d’autre.",
  find: "Chercher un collègue",
  online: "en ligne",
  away: "hors ligne",
  shown: "Les autres vous voient en ligne",
  hidden: "Les autres vous voient hors ligne",
  unread: (count) => (count === 1 ? "1 nouveau message" : `${count} nouveaux messages`),
  faults: {
    forbidden: "Vous n’y êtes pas autorisé.",
    not_found: "Introuvable.",
    conflict: "C’est terminé.",
    rate_limited: "C’était trop rapide. Attendez un instant.",
    invalid_parameter: "Cela ne peut pas être envoyé.",
    other: "Cela n’a pas fonctionné. Réessayez.",
  },
};

export function textsOf(language: Language): Texts {
  return language === "fr" ? fr : en;
}
