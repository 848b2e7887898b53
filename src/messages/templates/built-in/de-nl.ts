import { type BuiltInLanguage, paragraphs } from "../store.ts";

export const german: BuiltInLanguage = {
  ticket: {
    subject: "Ihre Videohilfe von {{enterprise}}",
    mail: paragraphs(
      "Guten Tag {{firstname}} {{lastname}},",
      "{{agentName}} möchte Ihnen live per Video helfen.",
      "Betreff: {{subject}}",
      "Ihr Termin ist am {{startDate}} um {{startTime}}.",
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
      "Wann: {{startDate}}, {{startTime}} bis {{endTime}}",
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
    subject: "Erinnerung: Ihr Videotermin um {{startTime}}",
    mail: paragraphs(
      "Guten Tag,",
      "wir erinnern Sie an Ihren Videotermin mit {{organizerName}} am {{startDate}} um {{startTime}}.",
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
      "Ihr Videotermin mit {{organizerName}} am {{startDate}} um {{startTime}} wurde abgesagt.",
      "Bitte entschuldigen Sie die Unannehmlichkeiten.",
      "Freundliche Grüße\n{{enterprise}}",
    ),
    sms: "{{enterprise}}: Ihr Videotermin am {{startDate}} um {{startTime}} Uhr wurde abgesagt.",
    button: "",
  },
};

export const dutch: BuiltInLanguage = {
  ticket: {
    subject: "Uw videohulp van {{enterprise}}",
    mail: paragraphs(
      "Beste {{firstname}},",
      "{{agentName}} wil u graag live helpen via video.",
      "Onderwerp: {{subject}}",
      "Uw afspraak is op {{startDate}} om {{startTime}}.",
      "Open deze link op uw telefoon, tablet of computer. U hoeft niets te installeren.",
      "{{link}}",
      "Meer informatie over uw aanvraag: {{informationLink}}",
      "Met vriendelijke groet,\n{{enterprise}}",
    ),
    sms: "{{enterprise}}: open deze link om uw videohulp te starten. U hoeft niets te installeren. {{link}}",
    button: "Video starten",
  },
  expert: {
    subject: "{{agentName}} heeft uw expertise nodig in een videogesprek",
    mail: paragraphs(
      "Beste {{name}},",
      "{{agentName}} is in een videogesprek met een klant en nodigt u als expert uit.",
      "Onderwerp: {{subject}}",
      "Open deze link nu op uw telefoon, tablet of computer. U hoeft niets te installeren. De link is alleen voor u en twee uur geldig.",
      "{{link}}",
      "Met vriendelijke groet,\n{{enterprise}}",
    ),
    sms: "{{agentName}} nodigt u als expert uit voor een videogesprek. Alleen voor u, twee uur geldig: {{link}}",
    button: "Deelnemen aan het videogesprek",
  },
  conference: {
    subject: "Uitnodiging: {{name}}",
    mail: paragraphs(
      "Goedendag,",
      "{{organizerName}} nodigt u uit voor de videovergadering ‘{{name}}’.",
      "Wanneer: {{startDate}}, van {{startTime}} tot {{endTime}}",
      "{{message}}",
      "Neem deel met uw telefoon, tablet of computer. U hoeft niets te installeren.",
      "{{link}}",
      "Per telefoon: bel {{dialInNumber}} en voer de code {{dialInCode}} in.",
      "Met vriendelijke groet,\n{{enterprise}}",
    ),
    sms: "{{organizerName}} nodigt u uit voor een videovergadering op {{startDate}} om {{startTime}}: {{link}}",
    button: "Deelnemen",
  },
  reminder: {
    subject: "Herinnering: uw videoafspraak om {{startTime}}",
    mail: paragraphs(
      "Goedendag,",
      "We herinneren u aan uw videoafspraak met {{organizerName}} op {{startDate}} om {{startTime}}.",
      "Open deze link als het zover is. U hoeft niets te installeren.",
      "{{link}}",
      "Met vriendelijke groet,\n{{enterprise}}",
    ),
    sms: "Herinnering: uw videoafspraak is op {{startDate}} om {{startTime}} uur: {{link}}",
    button: "Afspraak openen",
  },
  cancel: {
    subject: "Geannuleerd: uw videoafspraak van {{startDate}}",
    mail: paragraphs(
      "Goedendag,",
      "Uw videoafspraak met {{organizerName}} op {{startDate}} om {{startTime}} is geannuleerd.",
      "Onze excuses voor het ongemak.",
      "Met vriendelijke groet,\n{{enterprise}}",
    ),
    sms: "{{enterprise}}: uw videoafspraak op {{startDate}} om {{startTime}} uur is geannuleerd.",
    button: "",
  },
};
