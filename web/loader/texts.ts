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
  leaveCall: "Leave call",
  showMessages: "Messages",
  large: "Enlarge",
  openTab: "Open in a tab",
  callStates: {
    opening: "Opening the call…",
    ready: "Video call",
    ringing: "Customer waiting",
    joined: "In the call",
    left: "You are not in the call",
  },
  notInBox: {
    domain: "This site is not allowed to show calls.",
    refused: "Your browser or this site does not allow the call here.",
    other: "This page already shows another call.",
  },
  callEnded: "The call ended",
  callLeft: "You left the call",
  photo: "Photo saved",
  duration: (passed: string) => `Duration of the call: ${passed}`,
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
  leaveCall: "Quitter l’appel",
  showMessages: "Messages",
  large: "Agrandir",
  openTab: "Ouvrir dans un onglet",
  callStates: {
    opening: "Ouverture de l’appel…",
    ready: "Appel vidéo",
    ringing: "Client en attente",
    joined: "En appel",
    left: "Vous n’êtes pas dans l’appel",
  },
  notInBox: {
    domain: "Ce site n’est pas autorisé à afficher les appels.",
    refused: "Votre navigateur ou ce site n’autorise pas l’appel ici.",
    other: "Cette page affiche déjà un autre appel.",
  },
  callEnded: "L’appel est terminé",
  callLeft: "Vous avez quitté l’appel",
  photo: "Photo enregistrée",
  duration: (passed) => `Durée de l’appel : ${passed}`,
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
