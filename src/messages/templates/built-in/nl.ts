import { paragraphs, type BuiltInLanguage } from "../model.ts";

export const dutch: BuiltInLanguage = {
  ticket: {
    subject: "Uw videohulp van {{enterprise}}",
    mail: paragraphs(
      "Beste {{firstname}},",
      "{{agentName}} wil u graag live helpen via video.",
      "Onderwerp: {{subject}}",
      "Uw afspraak is op {{startDate}} om {{startTime}} uur.",
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
      "Wanneer: {{startDate}}, van {{startTime}} tot {{endTime}} uur",
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
    subject: "Herinnering: uw videoafspraak om {{startTime}} uur",
    mail: paragraphs(
      "Goedendag,",
      "We herinneren u aan uw videoafspraak met {{organizerName}} op {{startDate}} om {{startTime}} uur.",
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
      "Uw videoafspraak met {{organizerName}} op {{startDate}} om {{startTime}} uur is geannuleerd. De link die u hebt ontvangen, werkt niet meer.",
      "Onze excuses voor het ongemak.",
      "Met vriendelijke groet,\n{{enterprise}}",
    ),
    sms: "{{enterprise}}: uw videoafspraak op {{startDate}} om {{startTime}} uur is geannuleerd.",
    button: "",
  },
};
