/** The words of the mails about webhooks. In braces: what `mail.ts` puts in. */

export type Words = Readonly<{
  subject: Readonly<{ warned: string; disabled: string; recovered: string }>;
  /** What happened. */
  warned: string;
  failing: string;
  gone: string;
  recovered: string;
  address: string;
  lastError: string;
  /** What happens next. */
  afterWarned: string;
  afterDisabled: string;
  afterRecovered: string;
  see: string;
}>;

const en: Words = {
  subject: {
    warned: "Webhook {webhook}: nothing but failures for 24 hours",
    disabled: "Webhook {webhook} was switched off",
    recovered: "Webhook {webhook} works again",
  },
  warned: "The webhook {webhook} has had nothing but failures since {since}.",
  failing:
    "The webhook {webhook} had nothing but failures since {since}, for 120 hours. It was switched off.",
  gone: "The receiver of the webhook {webhook} answered 410: it wants nothing more. The webhook was switched off.",
  recovered: "The webhook {webhook} works again, after failures since {since}.",
  address: "Address: {origin}",
  lastError: "Last error: {error}",
  afterWarned: "We go on trying. If nothing succeeds until {until}, it is switched off.",
  afterDisabled:
    "What was still to be sent is kept until {until} and goes out if the webhook is switched on before that. Events that happen while it is off are not kept for it.",
  afterRecovered: "What was waiting is being sent.",
  see: "Look at it, or change it:",
};

const fr: Words = {
  subject: {
    warned: "Webhook {webhook} : uniquement des échecs depuis 24 heures",
    disabled: "Le webhook {webhook} a été désactivé",
    recovered: "Le webhook {webhook} fonctionne à nouveau",
  },
  warned: "Le webhook {webhook} n’a connu que des échecs depuis le {since}.",
  failing:
    "Le webhook {webhook} n’a connu que des échecs depuis le {since}, soit 120 heures. Il a été désactivé.",
  gone: "Le destinataire du webhook {webhook} a répondu 410 : il ne veut plus rien recevoir. Le webhook a été désactivé.",
  recovered: "Le webhook {webhook} fonctionne à nouveau, après des échecs depuis le {since}.",
  address: "Adresse : {origin}",
  lastError: "Dernière erreur : {error}",
  afterWarned:
    "Nous continuons d’essayer. Si aucun envoi ne réussit d’ici le {until}, il sera désactivé.",
  afterDisabled:
    "Ce qui restait à envoyer est conservé jusqu’au {until} et partira si le webhook est réactivé avant cette date. Les événements qui surviennent pendant qu’il est désactivé ne sont pas conservés pour lui.",
  afterRecovered: "Ce qui était en attente est en cours d’envoi.",
  see: "Pour le consulter ou le modifier :",
};

const es: Words = {
  subject: {
    warned: "Webhook {webhook}: solo errores desde hace 24 horas",
    disabled: "El webhook {webhook} se ha desactivado",
    recovered: "El webhook {webhook} vuelve a funcionar",
  },
  warned: "El webhook {webhook} solo ha dado errores desde el {since}.",
  failing:
    "El webhook {webhook} solo ha dado errores desde el {since}, durante 120 horas. Se ha desactivado.",
  gone: "El receptor del webhook {webhook} ha respondido 410: no quiere recibir nada más. El webhook se ha desactivado.",
  recovered: "El webhook {webhook} vuelve a funcionar, tras errores desde el {since}.",
  address: "Dirección: {origin}",
  lastError: "Último error: {error}",
  afterWarned: "Seguimos intentándolo. Si nada tiene éxito antes del {until}, se desactivará.",
  afterDisabled:
    "Lo que quedaba por enviar se conserva hasta el {until} y saldrá si el webhook se activa antes. Los eventos que ocurran mientras esté desactivado no se conservan para él.",
  afterRecovered: "Lo que estaba en espera se está enviando.",
  see: "Para verlo o cambiarlo:",
};

const de: Words = {
  subject: {
    warned: "Webhook {webhook}: seit 24 Stunden nur Fehler",
    disabled: "Webhook {webhook} wurde abgeschaltet",
    recovered: "Webhook {webhook} funktioniert wieder",
  },
  warned: "Beim Webhook {webhook} gibt es nur Fehler, seit {since}.",
  failing:
    "Beim Webhook {webhook} gab es 120 Stunden lang nur Fehler, seit {since}. Er wurde abgeschaltet.",
  gone: "Der Empfänger des Webhooks {webhook} hat mit 410 geantwortet: Er möchte nichts mehr erhalten. Der Webhook wurde abgeschaltet.",
  recovered: "Der Webhook {webhook} funktioniert wieder. Fehler gab es seit {since}.",
  address: "Adresse: {origin}",
  lastError: "Letzter Fehler: {error}",
  afterWarned: "Wir versuchen es weiter. Wenn bis {until} nichts gelingt, wird er abgeschaltet.",
  afterDisabled:
    "Was noch zu senden war, wird bis {until} aufbewahrt und geht hinaus, wenn der Webhook vorher eingeschaltet wird. Ereignisse, die geschehen, während er aus ist, werden für ihn nicht aufbewahrt.",
  afterRecovered: "Was gewartet hat, wird jetzt gesendet.",
  see: "Hier ansehen oder ändern:",
};

const it: Words = {
  subject: {
    warned: "Webhook {webhook}: solo errori da 24 ore",
    disabled: "Il webhook {webhook} è stato disattivato",
    recovered: "Il webhook {webhook} funziona di nuovo",
  },
  warned: "Il webhook {webhook} ha avuto solo errori dal {since}.",
  failing:
    "Il webhook {webhook} ha avuto solo errori dal {since}, per 120 ore. È stato disattivato.",
  gone: "Il destinatario del webhook {webhook} ha risposto 410: non vuole ricevere altro. Il webhook è stato disattivato.",
  recovered: "Il webhook {webhook} funziona di nuovo, dopo errori dal {since}.",
  address: "Indirizzo: {origin}",
  lastError: "Ultimo errore: {error}",
  afterWarned: "Continuiamo a provare. Se nulla riesce entro il {until}, sarà disattivato.",
  afterDisabled:
    "Ciò che restava da inviare è conservato fino al {until} e partirà se il webhook viene riattivato prima. Gli eventi che accadono mentre è disattivato non sono conservati per esso.",
  afterRecovered: "Ciò che era in attesa viene inviato ora.",
  see: "Per vederlo o modificarlo:",
};

const nl: Words = {
  subject: {
    warned: "Webhook {webhook}: al 24 uur alleen fouten",
    disabled: "Webhook {webhook} is uitgeschakeld",
    recovered: "Webhook {webhook} werkt weer",
  },
  warned: "De webhook {webhook} geeft alleen fouten, sinds {since}.",
  failing:
    "De webhook {webhook} gaf 120 uur lang alleen fouten, sinds {since}. Hij is uitgeschakeld.",
  gone: "De ontvanger van de webhook {webhook} antwoordde 410: hij wil niets meer ontvangen. De webhook is uitgeschakeld.",
  recovered: "De webhook {webhook} werkt weer, na fouten sinds {since}.",
  address: "Adres: {origin}",
  lastError: "Laatste fout: {error}",
  afterWarned: "Wij blijven het proberen. Als niets lukt voor {until}, wordt hij uitgeschakeld.",
  afterDisabled:
    "Wat nog te verzenden was, wordt bewaard tot {until} en gaat alsnog uit als de webhook voor die tijd wordt ingeschakeld. Gebeurtenissen terwijl hij uit staat, worden er niet voor bewaard.",
  afterRecovered: "Wat wachtte, wordt nu verzonden.",
  see: "Bekijken of wijzigen:",
};

const pt: Words = {
  subject: {
    warned: "Webhook {webhook}: apenas erros há 24 horas",
    disabled: "O webhook {webhook} foi desativado",
    recovered: "O webhook {webhook} voltou a funcionar",
  },
  warned: "O webhook {webhook} só teve erros desde {since}.",
  failing: "O webhook {webhook} só teve erros desde {since}, durante 120 horas. Foi desativado.",
  gone: "O destinatário do webhook {webhook} respondeu 410: não quer receber mais nada. O webhook foi desativado.",
  recovered: "O webhook {webhook} voltou a funcionar, após erros desde {since}.",
  address: "Endereço: {origin}",
  lastError: "Último erro: {error}",
  afterWarned: "Continuamos a tentar. Se nada tiver êxito até {until}, será desativado.",
  afterDisabled:
    "O que faltava enviar é guardado até {until} e será enviado se o webhook for ativado antes. Os eventos que acontecem enquanto está desativado não são guardados para ele.",
  afterRecovered: "O que estava à espera está a ser enviado.",
  see: "Para o ver ou alterar:",
};

/** By the code of the language. */
export const wording = { en, fr, es, de, it, nl, pt } as const;
