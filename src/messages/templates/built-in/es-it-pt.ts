import { type BuiltInLanguage, paragraphs } from "../store.ts";

// SMS texts avoid «á», «í», «ó», «ú»: GSM-7 has é and ñ only, and any other letter forces UCS-2,
// which more than halves the length.
export const spanish: BuiltInLanguage = {
  ticket: {
    subject: "Su asistencia por vídeo con {{enterprise}}",
    mail: paragraphs(
      "Hola:",
      "{{agentName}} quiere ayudarle en directo por vídeo.",
      "Asunto: {{subject}}",
      "Su cita es el {{startDate}} a las {{startTime}}.",
      "Abra este enlace en su teléfono, tableta u ordenador. No hay que instalar nada.",
      "{{link}}",
      "Más información sobre su solicitud: {{informationLink}}",
      "Un cordial saludo,\n{{enterprise}}",
    ),
    sms: "{{enterprise}}: abra este enlace para recibir asistencia en directo, sin instalar nada. {{link}}",
    button: "Iniciar el vídeo",
  },
  expert: {
    subject: "{{agentName}} necesita su ayuda experta en una videollamada",
    mail: paragraphs(
      "Hola, {{name}}:",
      "{{agentName}} está en una videollamada con un cliente y le invita a participar como experto.",
      "Asunto: {{subject}}",
      "Abra ahora este enlace en su teléfono, tableta u ordenador. No hay que instalar nada. Es solo para usted y es válido durante dos horas.",
      "{{link}}",
      "Un cordial saludo,\n{{enterprise}}",
    ),
    sms: "{{agentName}} le invita como experto a una videollamada. Enlace personal, caduca en dos horas: {{link}}",
    button: "Unirse a la videollamada",
  },
  conference: {
    subject: "Invitación: {{name}}",
    mail: paragraphs(
      "Hola:",
      "{{organizerName}} le invita a la reunión por vídeo «{{name}}».",
      "Cuándo: {{startDate}}, de {{startTime}} a {{endTime}}",
      "{{message}}",
      "Únase desde su teléfono, tableta u ordenador. No hay que instalar nada.",
      "{{link}}",
      "Por teléfono: llame al {{dialInNumber}} e introduzca el código {{dialInCode}}.",
      "Un cordial saludo,\n{{enterprise}}",
    ),
    sms: "{{organizerName}} le invita a una videollamada el {{startDate}} a las {{startTime}}: {{link}}",
    button: "Unirse a la reunión",
  },
  reminder: {
    subject: "Recordatorio: su cita por vídeo a las {{startTime}}",
    mail: paragraphs(
      "Hola:",
      "Le recordamos su cita por vídeo con {{organizerName}} el {{startDate}} a las {{startTime}}.",
      "Cuando llegue el momento, abra este enlace. No hay que instalar nada.",
      "{{link}}",
      "Un cordial saludo,\n{{enterprise}}",
    ),
    sms: "Recordatorio: su videollamada es el {{startDate}} a las {{startTime}}: {{link}}",
    button: "Abrir la cita",
  },
  cancel: {
    subject: "Cancelada: su cita por vídeo del {{startDate}}",
    mail: paragraphs(
      "Hola:",
      "Su cita por vídeo con {{organizerName}} del {{startDate}} a las {{startTime}} ha sido cancelada.",
      "Disculpe las molestias.",
      "Un cordial saludo,\n{{enterprise}}",
    ),
    sms: "{{enterprise}}: su videollamada del {{startDate}} a las {{startTime}} ha sido cancelada.",
    button: "",
  },
};

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
      "il suo appuntamento video con {{organizerName}} del {{startDate}} alle {{startTime}} è stato annullato.",
      "Ci scusiamo per il disagio.",
      "Cordiali saluti,\n{{enterprise}}",
    ),
    sms: "{{enterprise}}: il suo appuntamento video del {{startDate}} alle {{startTime}} è stato annullato.",
    button: "",
  },
};

// SMS texts avoid «á», «ã», «ç», «ê», «õ»: GSM-7 has é and à only, and any other letter forces
// UCS-2, which more than halves the length.
export const portuguese: BuiltInLanguage = {
  ticket: {
    subject: "A sua assistência por vídeo com {{enterprise}}",
    mail: paragraphs(
      "Olá,",
      "{{agentName}} gostaria de o(a) ajudar em direto, por vídeo.",
      "Assunto: {{subject}}",
      "A sua marcação é no dia {{startDate}}, às {{startTime}}.",
      "Abra este link no telemóvel, no tablet ou no computador. Não precisa de instalar nada.",
      "{{link}}",
      "Mais informações sobre o seu pedido: {{informationLink}}",
      "Com os melhores cumprimentos,\n{{enterprise}}",
    ),
    sms: "{{enterprise}}: abra este link para receber ajuda em direto, sem instalar nada. {{link}}",
    button: "Iniciar o vídeo",
  },
  expert: {
    subject: "{{agentName}} precisa da sua experiência numa videochamada",
    mail: paragraphs(
      "Olá {{name}},",
      "{{agentName}} está numa videochamada com um cliente e convida-o(a) a participar como especialista.",
      "Assunto: {{subject}}",
      "Abra agora este link no telemóvel, no tablet ou no computador. Não precisa de instalar nada. É só para si e é válido durante duas horas.",
      "{{link}}",
      "Com os melhores cumprimentos,\n{{enterprise}}",
    ),
    sms: "{{agentName}} convida-o(a) para uma videochamada como especialista. Link pessoal, por duas horas: {{link}}",
    button: "Participar na videochamada",
  },
  conference: {
    subject: "Convite: {{name}}",
    mail: paragraphs(
      "Olá,",
      "{{organizerName}} convida-o(a) para a reunião por vídeo «{{name}}».",
      "Quando: {{startDate}}, das {{startTime}} às {{endTime}}",
      "{{message}}",
      "Participe com o telemóvel, o tablet ou o computador. Não precisa de instalar nada.",
      "{{link}}",
      "Por telefone: ligue para {{dialInNumber}} e introduza o código {{dialInCode}}.",
      "Com os melhores cumprimentos,\n{{enterprise}}",
    ),
    sms: "{{organizerName}} convida-o(a) para uma videochamada em {{startDate}}, {{startTime}}: {{link}}",
    button: "Participar na reunião",
  },
  reminder: {
    subject: "Lembrete: a sua marcação por vídeo às {{startTime}}",
    mail: paragraphs(
      "Olá,",
      "Lembramos a sua marcação por vídeo com {{organizerName}} no dia {{startDate}}, às {{startTime}}.",
      "À hora marcada, abra este link. Não precisa de instalar nada.",
      "{{link}}",
      "Com os melhores cumprimentos,\n{{enterprise}}",
    ),
    sms: "Lembrete: a sua videochamada é em {{startDate}}, {{startTime}}: {{link}}",
    button: "Abrir a marcação",
  },
  cancel: {
    subject: "Cancelada: a sua marcação por vídeo de {{startDate}}",
    mail: paragraphs(
      "Olá,",
      "A sua marcação por vídeo com {{organizerName}} no dia {{startDate}}, às {{startTime}}, foi cancelada.",
      "Pedimos desculpa pelo incómodo.",
      "Com os melhores cumprimentos,\n{{enterprise}}",
    ),
    sms: "{{enterprise}}: a sua videochamada de {{startDate}}, {{startTime}}, foi cancelada.",
    button: "",
  },
};
