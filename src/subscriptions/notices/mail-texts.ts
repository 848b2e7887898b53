/** The texts of mails about webhooks. `mail.ts` replaces the placeholders in braces. */

export type NoticeTexts = Readonly<{
  subject: Readonly<{
    warned: string;
    disabled: string;
    recovered: string;
    behind: string;
    caughtUp: string;
    failed: string;
  }>;
  /** What happened. */
  warned: string;
  failing: string;
  gone: string;
  recovered: string;
  behind: string;
  caughtUp: string;
  failed: string;
  address: string;
  lastError: string;
  /** What happens next. */
  afterWarned: string;
  afterDisabled: string;
  afterRecovered: string;
  afterBehind: string;
  afterFailed: string;
  see: string;
  /** Footer for external addresses. */
  stop: string;
}>;

const en: NoticeTexts = {
  subject: {
    warned: "Webhook {webhook}: all attempts failed for {duration}",
    disabled: "Webhook {webhook} was disabled",
    recovered: "Webhook {webhook} recovered",
    behind: "Webhook {webhook}: deliveries are late",
    caughtUp: "Webhook {webhook} has caught up",
    failed: "Webhook {webhook}: failed deliveries ({count})",
  },
  warned: "All attempts of the webhook {webhook} have failed since {since}.",
  failing:
    "All attempts of the webhook {webhook} failed for 120 hours, since {since}. The webhook was disabled.",
  gone: "The receiver of the webhook {webhook} responded with 410 (Gone). The webhook was disabled.",
  recovered: "The webhook {webhook} recovered. Its attempts had failed since {since}.",
  behind: "Deliveries to the webhook {webhook} are late. The oldest was due on {since}.",
  caughtUp: "The webhook {webhook} has caught up. Its deliveries had been late since {since}.",
  failed:
    "Failed deliveries to the webhook {webhook} since {since}: {count}. All their attempts failed; they will not be retried.",
  address: "Endpoint: {origin}",
  lastError: "Last error: {error}",
  afterWarned:
    "We keep retrying. If no attempt succeeds before {until}, the webhook will be disabled.",
  afterDisabled:
    "Paused deliveries are kept until {until} and are sent if you enable the webhook before then. Events that occur while it is disabled are not delivered to it.",
  afterRecovered: "The queued deliveries are being sent.",
  afterBehind:
    "We keep retrying. The queued deliveries are sent as soon as the receiver accepts them.",
  afterFailed: "They are kept in the log, where you can replay them.",
  see: "View or change the webhook:",
  stop: "This address receives alerts because someone confirmed it. To unsubscribe:",
};

const fr: NoticeTexts = {
  subject: {
    warned: "Webhook {webhook} : toutes les tentatives échouent depuis {duration}",
    disabled: "Le webhook {webhook} a été désactivé",
    recovered: "Le webhook {webhook} est rétabli",
    behind: "Webhook {webhook} : livraisons en retard",
    caughtUp: "Le webhook {webhook} a rattrapé son retard",
    failed: "Webhook {webhook} : livraisons échouées ({count})",
  },
  warned: "Toutes les tentatives du webhook {webhook} échouent depuis le {since}.",
  failing:
    "Toutes les tentatives du webhook {webhook} ont échoué pendant 120 heures, depuis le {since}. Le webhook a été désactivé.",
  gone: "Le destinataire du webhook {webhook} a répondu 410 (Gone). Le webhook a été désactivé.",
  recovered: "Le webhook {webhook} est rétabli. Ses tentatives échouaient depuis le {since}.",
  behind:
    "Les livraisons vers le webhook {webhook} sont en retard : la plus ancienne aurait dû partir le {since}.",
  caughtUp:
    "Le webhook {webhook} a rattrapé son retard. Des livraisons étaient en retard depuis le {since}.",
  failed:
    "Livraisons échouées vers le webhook {webhook} depuis le {since} : {count}. Toutes leurs tentatives ont échoué et aucune autre n’est prévue.",
  address: "Destinataire : {origin}",
  lastError: "Dernière erreur : {error}",
  afterWarned:
    "Les tentatives continuent. Si aucune ne réussit d’ici le {until}, le webhook sera désactivé.",
  afterDisabled:
    "Les livraisons en pause sont conservées jusqu’au {until} et seront envoyées si le webhook est réactivé avant cette date. Les événements qui surviennent pendant qu’il est désactivé ne lui sont pas livrés.",
  afterRecovered: "Les livraisons en attente sont en cours d’envoi.",
  afterBehind:
    "Les tentatives continuent. Les livraisons en attente seront envoyées dès que le destinataire les acceptera.",
  afterFailed: "Elles restent dans le journal, d’où vous pouvez les renvoyer.",
  see: "Consulter ou modifier le webhook :",
  stop: "Cette adresse reçoit des alertes parce que quelqu’un l’a confirmée. Pour ne plus en recevoir :",
};

const es: NoticeTexts = {
  subject: {
    warned: "Webhook {webhook}: solo errores desde hace {duration}",
    disabled: "El webhook {webhook} se ha desactivado",
    recovered: "El webhook {webhook} vuelve a funcionar",
    behind: "Webhook {webhook}: entregas retrasadas",
    caughtUp: "El webhook {webhook} se ha puesto al día",
    failed: "Webhook {webhook}: entregas fallidas ({count})",
  },
  warned: "El webhook {webhook} solo ha dado errores desde el {since}.",
  failing:
    "El webhook {webhook} solo ha dado errores desde el {since}, durante 120 horas. Se ha desactivado.",
  gone: "El receptor del webhook {webhook} ha respondido 410: no quiere recibir nada más. El webhook se ha desactivado.",
  recovered: "El webhook {webhook} vuelve a funcionar, tras errores desde el {since}.",
  behind:
    "Las entregas al webhook {webhook} van con retraso: la más antigua debía salir el {since}.",
  caughtUp: "El webhook {webhook} se ha puesto al día. Había entregas retrasadas desde el {since}.",
  failed:
    "Entregas al webhook {webhook} que han fallado definitivamente desde el {since}: {count}. Su último intento falló y no volvemos a intentarlo.",
  address: "Dirección: {origin}",
  lastError: "Último error: {error}",
  afterWarned: "Seguimos intentándolo. Si nada tiene éxito antes del {until}, se desactivará.",
  afterDisabled:
    "Lo que quedaba por enviar se conserva hasta el {until} y saldrá si el webhook se activa antes. Los eventos que ocurran mientras esté desactivado no se conservan para él.",
  afterRecovered: "Lo que estaba en espera se está enviando.",
  afterBehind: "Seguimos intentándolo. Lo que espera saldrá en cuanto el receptor lo acepte.",
  afterFailed: "Se conservan en el registro, desde donde puede reenviarlas.",
  see: "Para verlo o cambiarlo:",
  stop: "Esta dirección recibe alertas porque alguien la confirmó. Para dejar de recibirlas:",
};

const de: NoticeTexts = {
  subject: {
    warned: "Webhook {webhook}: seit {duration} nur Fehler",
    disabled: "Webhook {webhook} wurde abgeschaltet",
    recovered: "Webhook {webhook} funktioniert wieder",
    behind: "Webhook {webhook}: Zustellungen verspätet",
    caughtUp: "Webhook {webhook} hat aufgeholt",
    failed: "Webhook {webhook}: fehlgeschlagene Zustellungen ({count})",
  },
  warned: "Beim Webhook {webhook} gibt es nur Fehler, seit {since}.",
  failing:
    "Beim Webhook {webhook} gab es 120 Stunden lang nur Fehler, seit {since}. Er wurde abgeschaltet.",
  gone: "Der Empfänger des Webhooks {webhook} hat mit 410 geantwortet: Er möchte nichts mehr erhalten. Der Webhook wurde abgeschaltet.",
  recovered: "Der Webhook {webhook} funktioniert wieder. Fehler gab es seit {since}.",
  behind:
    "Zustellungen an den Webhook {webhook} sind verspätet: Die älteste war fällig am {since}.",
  caughtUp: "Der Webhook {webhook} hat aufgeholt. Verspätet waren Zustellungen seit {since}.",
  failed:
    "Endgültig fehlgeschlagene Zustellungen an den Webhook {webhook} seit {since}: {count}. Auch der letzte Versuch schlug fehl, weitere gibt es nicht.",
  address: "Adresse: {origin}",
  lastError: "Letzter Fehler: {error}",
  afterWarned: "Wir versuchen es weiter. Wenn bis {until} nichts gelingt, wird er abgeschaltet.",
  afterDisabled:
    "Was noch zu senden war, wird bis {until} aufbewahrt und geht hinaus, wenn der Webhook vorher eingeschaltet wird. Ereignisse, die geschehen, während er aus ist, werden für ihn nicht aufbewahrt.",
  afterRecovered: "Was gewartet hat, wird jetzt gesendet.",
  afterBehind: "Wir versuchen es weiter. Was wartet, geht hinaus, sobald der Empfänger es annimmt.",
  afterFailed: "Sie bleiben im Protokoll und lassen sich dort erneut zustellen.",
  see: "Hier ansehen oder ändern:",
  stop: "Diese Adresse erhält Warnungen, weil jemand sie bestätigt hat. Abbestellen:",
};

const it: NoticeTexts = {
  subject: {
    warned: "Webhook {webhook}: solo errori da {duration}",
    disabled: "Il webhook {webhook} è stato disattivato",
    recovered: "Il webhook {webhook} funziona di nuovo",
    behind: "Webhook {webhook}: consegne in ritardo",
    caughtUp: "Il webhook {webhook} ha recuperato il ritardo",
    failed: "Webhook {webhook}: consegne fallite ({count})",
  },
  warned: "Il webhook {webhook} ha avuto solo errori dal {since}.",
  failing:
    "Il webhook {webhook} ha avuto solo errori dal {since}, per 120 ore. È stato disattivato.",
  gone: "Il destinatario del webhook {webhook} ha risposto 410: non vuole ricevere altro. Il webhook è stato disattivato.",
  recovered: "Il webhook {webhook} funziona di nuovo, dopo errori dal {since}.",
  behind:
    "Le consegne al webhook {webhook} sono in ritardo: la più vecchia doveva partire il {since}.",
  caughtUp:
    "Il webhook {webhook} ha recuperato il ritardo. C'erano consegne in ritardo dal {since}.",
  failed:
    "Consegne al webhook {webhook} fallite definitivamente dal {since}: {count}. Anche l'ultimo tentativo è fallito e non riproviamo.",
  address: "Indirizzo: {origin}",
  lastError: "Ultimo errore: {error}",
  afterWarned: "Continuiamo a provare. Se nulla riesce entro il {until}, sarà disattivato.",
  afterDisabled:
    "Ciò che restava da inviare è conservato fino al {until} e partirà se il webhook viene riattivato prima. Gli eventi che accadono mentre è disattivato non sono conservati per esso.",
  afterRecovered: "Ciò che era in attesa viene inviato ora.",
  afterBehind: "Continuiamo a provare. Ciò che attende partirà appena il destinatario lo accetta.",
  afterFailed: "Restano nel registro, da dove si possono inviare di nuovo.",
  see: "Per vederlo o modificarlo:",
  stop: "Questo indirizzo riceve avvisi perché qualcuno lo ha confermato. Per non riceverne più:",
};

const nl: NoticeTexts = {
  subject: {
    warned: "Webhook {webhook}: al {duration} alleen fouten",
    disabled: "Webhook {webhook} is uitgeschakeld",
    recovered: "Webhook {webhook} werkt weer",
    behind: "Webhook {webhook}: leveringen zijn te laat",
    caughtUp: "Webhook {webhook} is weer bij",
    failed: "Webhook {webhook}: mislukte leveringen ({count})",
  },
  warned: "De webhook {webhook} geeft alleen fouten, sinds {since}.",
  failing:
    "De webhook {webhook} gaf 120 uur lang alleen fouten, sinds {since}. Hij is uitgeschakeld.",
  gone: "De ontvanger van de webhook {webhook} antwoordde 410: hij wil niets meer ontvangen. De webhook is uitgeschakeld.",
  recovered: "De webhook {webhook} werkt weer, na fouten sinds {since}.",
  behind:
    "Leveringen aan de webhook {webhook} zijn te laat: de oudste had moeten vertrekken op {since}.",
  caughtUp: "De webhook {webhook} is weer bij. Leveringen waren te laat sinds {since}.",
  failed:
    "Definitief mislukte leveringen aan de webhook {webhook} sinds {since}: {count}. Ook de laatste poging mislukte en wij proberen het niet opnieuw.",
  address: "Adres: {origin}",
  lastError: "Laatste fout: {error}",
  afterWarned: "Wij blijven het proberen. Als niets lukt voor {until}, wordt hij uitgeschakeld.",
  afterDisabled:
    "Wat nog te verzenden was, wordt bewaard tot {until} en gaat alsnog uit als de webhook voor die tijd wordt ingeschakeld. Gebeurtenissen terwijl hij uit staat, worden er niet voor bewaard.",
  afterRecovered: "Wat wachtte, wordt nu verzonden.",
  afterBehind: "Wij blijven het proberen. Wat wacht, vertrekt zodra de ontvanger het aanneemt.",
  afterFailed: "Ze blijven in het logboek, waar u ze opnieuw kunt verzenden.",
  see: "Bekijken of wijzigen:",
  stop: "Dit adres krijgt waarschuwingen omdat iemand het heeft bevestigd. Om te stoppen:",
};

const pt: NoticeTexts = {
  subject: {
    warned: "Webhook {webhook}: apenas erros há {duration}",
    disabled: "O webhook {webhook} foi desativado",
    recovered: "O webhook {webhook} voltou a funcionar",
    behind: "Webhook {webhook}: entregas atrasadas",
    caughtUp: "O webhook {webhook} recuperou o atraso",
    failed: "Webhook {webhook}: entregas falhadas ({count})",
  },
  warned: "O webhook {webhook} só teve erros desde {since}.",
  failing: "O webhook {webhook} só teve erros desde {since}, durante 120 horas. Foi desativado.",
  gone: "O destinatário do webhook {webhook} respondeu 410: não quer receber mais nada. O webhook foi desativado.",
  recovered: "O webhook {webhook} voltou a funcionar, após erros desde {since}.",
  behind:
    "As entregas ao webhook {webhook} estão atrasadas: a mais antiga devia ter saído em {since}.",
  caughtUp: "O webhook {webhook} recuperou o atraso. Havia entregas atrasadas desde {since}.",
  failed:
    "Entregas ao webhook {webhook} que falharam definitivamente desde {since}: {count}. A última tentativa falhou e não voltamos a tentar.",
  address: "Endereço: {origin}",
  lastError: "Último erro: {error}",
  afterWarned: "Continuamos a tentar. Se nada tiver êxito até {until}, será desativado.",
  afterDisabled:
    "O que faltava enviar é guardado até {until} e será enviado se o webhook for ativado antes. Os eventos que acontecem enquanto está desativado não são guardados para ele.",
  afterRecovered: "O que estava à espera está a ser enviado.",
  afterBehind: "Continuamos a tentar. O que espera será enviado assim que o destinatário o aceite.",
  afterFailed: "Ficam no registo, de onde podem ser reenviadas.",
  see: "Para o ver ou alterar:",
  stop: "Este endereço recebe alertas porque alguém o confirmou. Para deixar de os receber:",
};

/** By language code. */
export const noticeTexts = { en, fr, es, de, it, nl, pt } as const;
