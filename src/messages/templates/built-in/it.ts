import { paragraphs, type BuiltInLanguage } from "../model.ts";

export const italian: BuiltInLanguage = {
  ticket: {
    subject: "La sua videoassistenza con {{enterprise}}",
    mail: paragraphs(
      "Buongiorno {{firstname}},",
      "{{agentName}} desidera aiutarla in diretta, tramite video.",
      "Oggetto: {{subject}}",
      "Il suo appuntamento è il {{startDate}} alle {{startTime}}.",
      "Apra questo link sul telefono, sul tablet o sul computer. Non c’è nulla da installare.",
      "{{link}}",
      "Maggiori informazioni sulla sua richiesta: {{informationLink}}",
      "Cordiali saluti,\n{{enterprise}}",
    ),
    sms: "{{enterprise}}: apra questo link per iniziare la videoassistenza, senza installare nulla. {{link}}",
    button: "Avvia il video",
  },
  expert: {
    subject: "{{agentName}} ha bisogno della sua competenza in una videochiamata",
    mail: paragraphs(
      "Buongiorno {{name}},",
      "{{agentName}} è in videochiamata con un cliente e la invita a partecipare come esperto.",
      "Oggetto: {{subject}}",
      "Apra subito questo link sul telefono, sul tablet o sul computer. Non c’è nulla da installare. È riservato a lei e valido per due ore.",
      "{{link}}",
      "Cordiali saluti,\n{{enterprise}}",
    ),
    sms: "{{agentName}} la invita come esperto a una videochiamata. Link personale, scade tra due ore: {{link}}",
    button: "Partecipa alla videochiamata",
  },
  conference: {
    subject: "Invito: {{name}}",
    mail: paragraphs(
      "Buongiorno,",
      "{{organizerName}} la invita alla riunione video «{{name}}».",
      "Quando: {{startDate}}, dalle {{startTime}} alle {{endTime}}",
      "{{message}}",
      "Partecipi dal telefono, dal tablet o dal computer. Non c’è nulla da installare.",
      "{{link}}",
      "Per telefono: chiami il {{dialInNumber}} e inserisca il codice {{dialInCode}}.",
      "Cordiali saluti,\n{{enterprise}}",
    ),
    sms: "{{organizerName}} la invita a una riunione video il {{startDate}} alle {{startTime}}: {{link}}",
    button: "Partecipa alla riunione",
  },
  reminder: {
    subject: "Promemoria: il suo appuntamento video alle {{startTime}}",
    mail: paragraphs(
      "Buongiorno,",
      "le ricordiamo il suo appuntamento video con {{organizerName}} il {{startDate}} alle {{startTime}}.",
      "Al momento dell’appuntamento apra questo link. Non c’è nulla da installare.",
      "{{link}}",
      "Cordiali saluti,\n{{enterprise}}",
    ),
    sms: "Promemoria: il suo appuntamento video è il {{startDate}} alle {{startTime}}: {{link}}",
    button: "Apri l’appuntamento",
  },
  cancel: {
    subject: "Annullato: il suo appuntamento video del {{startDate}}",
    mail: paragraphs(
      "Buongiorno,",
      "il suo appuntamento video con {{organizerName}} del {{startDate}} alle {{startTime}} è stato annullato. Il link che ha ricevuto non è più valido.",
      "Ci scusiamo per il disagio.",
      "Cordiali saluti,\n{{enterprise}}",
    ),
    sms: "{{enterprise}}: il suo appuntamento video del {{startDate}} alle {{startTime}} è stato annullato.",
    button: "",
  },
};
