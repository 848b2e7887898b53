/** The texts of the journey's pages, in both languages. */

export type Words = Readonly<{
  menu: string;
  places: string;
  tickets: string;
  deliveries: string;
  newWebhook: string;
  name: string;
  partsOfTickets: string;
  ticketCreated: RegExp;
  addHeader: string;
  headerName: string;
  headerValue: string;
  retries: string;
  ownRetries: string;
  waits: string;
  oneAttempt: string;
  createWebhook: string;
  kept: string;
  activate(name: string): string;
  nothingSent: string;
  invite: string;
  contact: string;
  sendInvitation: string;
  log: string;
  logTable: string;
  dead: string;
  failed500: string;
  request: string;
  response: string;
  webhookParts: string;
  signing: string;
  rotateSecret: string;
  overlap: string;
  rotate: string;
}>;

export const english: Words = {
  menu: "Menu",
  places: "Main menu",
  tickets: "Tickets",
  deliveries: "Deliveries",
  newWebhook: "New webhook",
  name: "Name",
  partsOfTickets: "Parts of: Tickets",
  ticketCreated: /^A ticket was created/u,
  addHeader: "Add header",
  headerName: "Name of header 1",
  headerValue: "Value of header 1",
  retries: "Retries",
  ownRetries: "Custom",
  waits: "Delays between attempts",
  oneAttempt: "One attempt, then the delivery fails.",
  createWebhook: "Create webhook",
  kept: "I’ve saved it",
  activate: (name) => `Enable ${name}`,
  nothingSent: "Nothing sent yet",
  invite: "Invite a customer",
  contact: "Customer’s phone or email",
  sendInvitation: "Send invitation",
  log: "Log",
  logTable: "Delivery log",
  dead: "Only failures",
  failed500: "The receiver failed to process the request (500)",
  request: "Request",
  response: "Response",
  webhookParts: "Webhook sections",
  signing: "Signing",
  rotateSecret: "Rotate secret",
  overlap: "Transition period",
  rotate: "Rotate",
};

export const french: Words = {
  menu: "Menu",
  places: "Menu principal",
  tickets: "Tickets",
  deliveries: "Livraisons",
  newWebhook: "Nouveau webhook",
  name: "Nom",
  partsOfTickets: "Détail\u00a0: Tickets",
  ticketCreated: /^Un ticket a été créé/u,
  addHeader: "Ajouter un en-tête",
  headerName: "Nom de l’en-tête 1",
  headerValue: "Valeur de l’en-tête 1",
  retries: "Nouvelles tentatives",
  ownRetries: "Personnalisé",
  waits: "Délais entre les tentatives",
  oneAttempt: "Une seule tentative, puis la livraison échoue.",
  createWebhook: "Créer le webhook",
  kept: "Je l’ai enregistré",
  activate: (name) => `Activer ${name}`,
  nothingSent: "Aucun envoi pour l’instant",
  invite: "Inviter un client",
  contact: "Téléphone ou e-mail du client",
  sendInvitation: "Envoyer l’invitation",
  log: "Journal",
  logTable: "Journal des livraisons",
  dead: "Échecs seulement",
  failed500: "Le destinataire n’a pas pu traiter la requête (500)",
  request: "Requête",
  response: "Réponse",
  webhookParts: "Sections du webhook",
  signing: "Signature",
  rotateSecret: "Renouveler le secret",
  overlap: "Période de transition",
  rotate: "Renouveler",
};
