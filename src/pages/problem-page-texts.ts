/** Texts of error pages, in the languages of invitations. */

export type PageText = Readonly<{ title: string; text: string }>;

export type PageTexts = Readonly<{
  notFound: PageText;
  gone: PageText;
  /** Of a call or a meeting. */
  cancelled: PageText;
  ended: PageText;
  deleted: PageText;
  rateLimited: PageText;
  failed: PageText;
  refused: PageText;
  /** Text of the link to the home page. */
  home: string;
}>;

export const problemPageTexts = {
  en: {
    notFound: {
      title: "Page not found",
      text: "The address is wrong, or the page no longer exists. If someone sent you this link, ask them for a new one.",
    },
    gone: { title: "This link has expired", text: "Ask the person who sent it for a new one." },
    cancelled: { title: "The call was cancelled", text: "Ask the person who invited you." },
    ended: {
      title: "The call is over",
      text: "If you still need it, ask the person who invited you.",
    },
    deleted: {
      title: "This invitation was withdrawn",
      text: "Ask the person who sent it for a new one.",
    },
    rateLimited: { title: "Too many requests", text: "Wait a minute, then try again." },
    failed: { title: "Something went wrong", text: "Try again in a moment." },
    refused: { title: "Invalid request", text: "Check the address." },
    home: "Go to the home page",
  },
  fr: {
    notFound: {
      title: "Page introuvable",
      text: "L’adresse est incorrecte, ou la page n’existe plus. Si quelqu’un vous a envoyé ce lien, demandez-lui-en un nouveau.",
    },
    gone: {
      title: "Ce lien a expiré",
      text: "Demandez-en un nouveau à la personne qui vous l’a envoyé.",
    },
    cancelled: {
      title: "L’appel a été annulé",
      text: "Adressez-vous à la personne qui vous a invité.",
    },
    ended: {
      title: "L’appel est terminé",
      text: "Si vous en avez encore besoin, adressez-vous à la personne qui vous a invité.",
    },
    deleted: {
      title: "Cette invitation a été retirée",
      text: "Demandez-en une nouvelle à la personne qui vous l’a envoyée.",
    },
    rateLimited: { title: "Trop de requêtes", text: "Patientez une minute, puis réessayez." },
    failed: { title: "Une erreur est survenue", text: "Réessayez dans un instant." },
    refused: { title: "Requête non valide", text: "Vérifiez l’adresse." },
    home: "Aller à l’accueil",
  },
  de: {
    notFound: {
      title: "Seite nicht gefunden",
      text: "Die Adresse ist falsch, oder es gibt die Seite nicht mehr. Wenn Sie diesen Link erhalten haben, bitten Sie um einen neuen.",
    },
    gone: { title: "Dieser Link ist abgelaufen", text: "Bitten Sie den Absender um einen neuen." },
    cancelled: {
      title: "Der Anruf wurde abgesagt",
      text: "Wenden Sie sich an die Person, die Sie eingeladen hat.",
    },
    ended: {
      title: "Der Anruf ist beendet",
      text: "Wenn Sie ihn noch brauchen, wenden Sie sich an die Person, die Sie eingeladen hat.",
    },
    deleted: {
      title: "Diese Einladung wurde zurückgezogen",
      text: "Bitten Sie den Absender um eine neue.",
    },
    rateLimited: {
      title: "Zu viele Anfragen",
      text: "Warten Sie eine Minute und versuchen Sie es erneut.",
    },
    failed: { title: "Etwas ist schiefgelaufen", text: "Versuchen Sie es gleich noch einmal." },
    refused: {
      title: "Ungültige Anfrage",
      text: "Prüfen Sie die Adresse.",
    },
    home: "Zur Startseite",
  },
  es: {
    notFound: {
      title: "Página no encontrada",
      text: "La dirección es incorrecta o la página ya no existe. Si alguien le envió este enlace, pídale uno nuevo.",
    },
    gone: { title: "Este enlace ha caducado", text: "Pida uno nuevo a quien se lo envió." },
    cancelled: {
      title: "La llamada se ha cancelado",
      text: "Póngase en contacto con quien le invitó.",
    },
    ended: {
      title: "La llamada ha terminado",
      text: "Si aún la necesita, póngase en contacto con quien le invitó.",
    },
    deleted: {
      title: "Esta invitación se ha retirado",
      text: "Pida una nueva a quien se la envió.",
    },
    rateLimited: {
      title: "Demasiadas solicitudes",
      text: "Espere un minuto y vuelva a intentarlo.",
    },
    failed: { title: "Algo ha fallado", text: "Vuelva a intentarlo en un momento." },
    refused: { title: "Solicitud no válida", text: "Compruebe la dirección." },
    home: "Ir al inicio",
  },
  it: {
    notFound: {
      title: "Pagina non trovata",
      text: "L’indirizzo è errato o la pagina non esiste più. Se qualcuno le ha inviato questo link, ne chieda uno nuovo.",
    },
    gone: { title: "Questo link è scaduto", text: "Ne chieda uno nuovo a chi lo ha inviato." },
    cancelled: { title: "La chiamata è stata annullata", text: "Contatti chi l’ha invitata." },
    ended: {
      title: "La chiamata è terminata",
      text: "Se ne ha ancora bisogno, contatti chi l’ha invitata.",
    },
    deleted: {
      title: "Questo invito è stato ritirato",
      text: "Ne chieda uno nuovo a chi lo ha inviato.",
    },
    rateLimited: { title: "Troppe richieste", text: "Attenda un minuto, poi riprovi." },
    failed: { title: "Qualcosa è andato storto", text: "Riprovi tra un momento." },
    refused: { title: "Richiesta non valida", text: "Controlli l’indirizzo." },
    home: "Vai alla pagina iniziale",
  },
  nl: {
    notFound: {
      title: "Pagina niet gevonden",
      text: "Het adres klopt niet, of de pagina bestaat niet meer. Heeft iemand u deze link gestuurd, vraag dan om een nieuwe.",
    },
    gone: { title: "Deze link is verlopen", text: "Vraag de afzender om een nieuwe." },
    cancelled: {
      title: "Het gesprek is geannuleerd",
      text: "Neem contact op met degene die u heeft uitgenodigd.",
    },
    ended: {
      title: "Het gesprek is afgelopen",
      text: "Hebt u het nog nodig, neem dan contact op met degene die u heeft uitgenodigd.",
    },
    deleted: { title: "Deze uitnodiging is ingetrokken", text: "Vraag de afzender om een nieuwe." },
    rateLimited: {
      title: "Te veel verzoeken",
      text: "Wacht een minuut en probeer het opnieuw.",
    },
    failed: { title: "Er ging iets mis", text: "Probeer het zo nog eens." },
    refused: { title: "Ongeldig verzoek", text: "Controleer het adres." },
    home: "Naar de startpagina",
  },
  pt: {
    notFound: {
      title: "Página não encontrada",
      text: "O endereço está errado ou a página já não existe. Se alguém lhe enviou este link, peça um novo.",
    },
    gone: { title: "Este link expirou", text: "Peça um novo a quem o enviou." },
    cancelled: { title: "A chamada foi cancelada", text: "Contacte quem o(a) convidou." },
    ended: {
      title: "A chamada terminou",
      text: "Se ainda precisar dela, contacte quem o(a) convidou.",
    },
    deleted: { title: "Este convite foi retirado", text: "Peça um novo a quem o enviou." },
    rateLimited: { title: "Demasiados pedidos", text: "Aguarde um minuto e tente de novo." },
    failed: { title: "Algo correu mal", text: "Tente de novo dentro de momentos." },
    refused: { title: "Pedido inválido", text: "Verifique o endereço." },
    home: "Ir para a página inicial",
  },
} as const satisfies Record<string, PageTexts>;

export type PageLanguage = keyof typeof problemPageTexts;

export const pageLanguages = Object.keys(problemPageTexts) as PageLanguage[];
