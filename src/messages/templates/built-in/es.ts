import { paragraphs, type BuiltInLanguage } from "../model.ts";

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
      "Su cita por vídeo con {{organizerName}} del {{startDate}} a las {{startTime}} ha sido cancelada. El enlace que recibió ya no funciona.",
      "Disculpe las molestias.",
      "Un cordial saludo,\n{{enterprise}}",
    ),
    sms: "{{enterprise}}: su videollamada del {{startDate}} a las {{startTime}} ha sido cancelada.",
    button: "",
  },
};
