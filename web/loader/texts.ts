/** The texts of the module. */
export type Language = "en" | "fr";

const en = {
  boxes: "Conversations",
  box: (name: string) => `Conversation with ${name}`,
  ticket: (id: number) => `Ticket ${id}`,
  colleague: "Colleague",
  minimize: "Minimize",
  maximize: "Open",
  close: "Close",
  call: "Video call",
  calling: "The call is open in another tab.",
  callBlocked: "Your browser blocked the tab of the call.",
  openCall: "Open call",
  endCall: "End call",
  messages: "Messages",
  write: "Write a message",
  send: "Send",
  sending: "sending…",
  notSent: "not sent",
  again: "Send again",
  older: "Earlier messages",
  you: "You",
  isOver: "This conversation has ended.",
  offline: "No connection. Retrying…",
  signedOut: "Your session has ended. Sign in again and reload this page.",
  empty: "No messages yet.",
  directory: "Colleagues",
  noColleagues: "No colleagues yet.",
  find: "Find a colleague",
  online: "online",
  away: "offline",
  shown: "Others see you online",
  hidden: "Others see you offline",
  unread: (count: number) => (count === 1 ? "1 new message" : `${count} new messages`),
  faults: {
    forbidden: "You are not allowed to do this.",
    not_found: "Not found.",
    conflict: "This has ended.",
    rate_limited: "Too many requests. Wait a moment.",
    invalid_parameter: "This cannot be sent.",
    other: "Something went wrong. Try again.",
  } as Record<string, string>,
};

export type Texts = typeof en;

/** The first supported language, else English. */
export function languageOf(preferred: readonly string[]): Language {
  for (const tag of preferred) {
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
  callBlocked: "Votre navigateur a bloqué l’onglet de l’appel.",
  openCall: "Ouvrir l’appel",
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
  signedOut: "Votre session a expiré. Reconnectez-vous et rechargez cette page.",
  empty: "Aucun message pour l’instant.",
  directory: "Collègues",
  noColleagues: "Aucun collègue pour l’instant.",
  find: "Rechercher un collègue",
  online: "en ligne",
  away: "hors ligne",
  shown: "Les autres vous voient en ligne",
  hidden: "Les autres vous voient hors ligne",
  unread: (count) => (count === 1 ? "1 nouveau message" : `${count} nouveaux messages`),
  faults: {
    forbidden: "Vous n’y êtes pas autorisé.",
    not_found: "Introuvable.",
    conflict: "C’est terminé.",
    rate_limited: "Trop de requêtes. Patientez un instant.",
    invalid_parameter: "Cela ne peut pas être envoyé.",
    other: "Une erreur est survenue. Réessayez.",
  },
};

export function textsOf(language: Language): Texts {
  return language === "fr" ? fr : en;
}
