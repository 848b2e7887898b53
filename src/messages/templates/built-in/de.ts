import { paragraphs, type BuiltInLanguage } from "../model.ts";

export const german: BuiltInLanguage = {
  ticket: {
    subject: "Ihre Videohilfe von {{enterprise}}",
    mail: paragraphs(
      "Guten Tag {{firstname}} {{lastname}},",
      "{{agentName}} möchte Ihnen live per Video helfen.",
      "Betreff: {{subject}}",
      "Ihr Termin ist am {{startDate}} um {{startTime}} Uhr.",
      "Öffnen Sie diesen Link auf Ihrem Handy, Tablet oder Computer. Sie müssen nichts installieren.",
      "{{link}}",
      "Mehr zu Ihrer Anfrage: {{informationLink}}",
      "Freundliche Grüße\n{{enterprise}}",
    ),
    sms: "{{enterprise}}: Öffnen Sie diesen Link, um Ihre Videohilfe zu starten, ganz ohne Installation. {{link}}",
    button: "Video starten",
  },
  expert: {
    subject: "{{agentName}} braucht Ihr Fachwissen in einem Videoanruf",
    mail: paragraphs(
      "Guten Tag {{name}},",
      "{{agentName}} ist in einem Videoanruf mit einem Kunden und lädt Sie als Experten dazu ein.",
      "Betreff: {{subject}}",
      "Öffnen Sie diesen Link jetzt auf Ihrem Handy, Tablet oder Computer. Sie müssen nichts installieren. Er ist nur für Sie und zwei Stunden gültig.",
      "{{link}}",
      "Freundliche Grüße\n{{enterprise}}",
    ),
    sms: "{{agentName}} lädt Sie als Experten zu einem Videoanruf ein. Nur für Sie, zwei Stunden gültig: {{link}}",
    button: "Am Videoanruf teilnehmen",
  },
  conference: {
    subject: "Einladung: {{name}}",
    mail: paragraphs(
      "Guten Tag,",
      "{{organizerName}} lädt Sie zur Videobesprechung „{{name}}“ ein.",
      "Wann: {{startDate}}, {{startTime}} bis {{endTime}} Uhr",
      "{{message}}",
      "Nehmen Sie mit Handy, Tablet oder Computer teil. Sie müssen nichts installieren.",
      "{{link}}",
      "Per Telefon: Wählen Sie {{dialInNumber}} und geben Sie den Code {{dialInCode}} ein.",
      "Freundliche Grüße\n{{enterprise}}",
    ),
    sms: "{{organizerName}} lädt Sie zu einer Videobesprechung am {{startDate}} um {{startTime}} ein: {{link}}",
    button: "Teilnehmen",
  },
  reminder: {
    subject: "Erinnerung: Ihr Videotermin um {{startTime}} Uhr",
    mail: paragraphs(
      "Guten Tag,",
      "wir erinnern Sie an Ihren Videotermin mit {{organizerName}} am {{startDate}} um {{startTime}} Uhr.",
      "Öffnen Sie zu Beginn diesen Link. Sie müssen nichts installieren.",
      "{{link}}",
      "Freundliche Grüße\n{{enterprise}}",
    ),
    sms: "Erinnerung: Ihr Videotermin ist am {{startDate}} um {{startTime}} Uhr: {{link}}",
    button: "Termin öffnen",
  },
  cancel: {
    subject: "Abgesagt: Ihr Videotermin am {{startDate}}",
    mail: paragraphs(
      "Guten Tag,",
      "Ihr Videotermin mit {{organizerName}} am {{startDate}} um {{startTime}} Uhr wurde abgesagt. Der Link, den Sie erhalten haben, funktioniert nicht mehr.",
      "Bitte entschuldigen Sie die Unannehmlichkeiten.",
      "Freundliche Grüße\n{{enterprise}}",
    ),
    sms: "{{enterprise}}: Ihr Videotermin am {{startDate}} um {{startTime}} Uhr wurde abgesagt.",
    button: "",
  },
};
