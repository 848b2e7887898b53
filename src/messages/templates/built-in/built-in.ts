import type { Channel } from "../../../contracts/invitations.ts";
import type { Language } from "../../../contracts/languages.ts";
import type { TemplateKind } from "../../../contracts/message-templates.ts";
import { type BuiltInLanguage, type BuiltInWording, paragraphs, type Wording } from "../store.ts";
import { dutch, german } from "./de-nl.ts";
import { italian, portuguese, spanish } from "./es-it-pt.ts";

/** The built-in wording. A template of the enterprise or service overrides it. */
export function builtInWording(kind: TemplateKind, channel: Channel, language: Language): Wording {
  const { subject, mail, sms } = builtIn(kind, language);
  return channel === "email"
    ? { kind, channel, language, subject, text: mail, html: null }
    : { kind, channel, language, subject: null, text: sms, html: null };
}

export function builtIn(kind: TemplateKind, language: Language): BuiltInWording {
  return byLanguage[language][kind];
}

const english: BuiltInLanguage = {
  ticket: {
    subject: "Your video assistance with {{enterprise}}",
    mail: paragraphs(
      "Hello {{firstname}},",
      "{{agentName}} would like to help you by live video.",
      "Subject: {{subject}}",
      "Your appointment is on {{startDate}} at {{startTime}}.",
      "Open this link on your phone, tablet or computer. There is nothing to install.",
      "{{link}}",
      "More about your request: {{informationLink}}",
      "Kind regards,\n{{enterprise}}",
    ),
    sms: "{{enterprise}}: open this link to start your video assistance. Nothing to install. {{link}}",
    button: "Start the video call",
  },
  expert: {
    subject: "{{agentName}} needs your expertise in a video call",
    mail: paragraphs(
      "Hello {{name}},",
      "{{agentName}} is in a video call with a customer and invites you to join as an expert.",
      "Subject: {{subject}}",
      "Open this link now on your phone, tablet or computer. There is nothing to install. It is for you alone and valid for two hours.",
      "{{link}}",
      "Kind regards,\n{{enterprise}}",
    ),
    sms: "{{agentName}} invites you to a video call as an expert. For you alone, valid for two hours: {{link}}",
    button: "Join the video call",
  },
  conference: {
    subject: "Invitation: {{name}}",
    mail: paragraphs(
      "Hello,",
      "{{organizerName}} invites you to the video meeting “{{name}}”.",
      "When: {{startDate}}, {{startTime}} to {{endTime}}",
      "{{message}}",
      "Join from your phone, tablet or computer. There is nothing to install.",
      "{{link}}",
      "By phone: call {{dialInNumber}} and enter the code {{dialInCode}}.",
      "Kind regards,\n{{enterprise}}",
    ),
    sms: "{{organizerName}} invites you to a video meeting, {{startDate}} {{startTime}}: {{link}}",
    button: "Join the meeting",
  },
  reminder: {
    subject: "Reminder: your video appointment at {{startTime}}",
    mail: paragraphs(
      "Hello,",
      "This is a reminder of your video appointment with {{organizerName}} on {{startDate}} at {{startTime}}.",
      "When it is time, open this link. There is nothing to install.",
      "{{link}}",
      "Kind regards,\n{{enterprise}}",
    ),
    sms: "Reminder: your video appointment is on {{startDate}} at {{startTime}}: {{link}}",
    button: "Open the appointment",
  },
  cancel: {
    subject: "Cancelled: your video appointment on {{startDate}}",
    mail: paragraphs(
      "Hello,",
      "Your video appointment with {{organizerName}} on {{startDate}} at {{startTime}} has been cancelled.",
      "We apologize for any inconvenience.",
      "Kind regards,\n{{enterprise}}",
    ),
    sms: "{{enterprise}}: your video appointment on {{startDate}} at {{startTime}} has been cancelled.",
    button: "",
  },
};

// SMS texts avoid « ê », « ç », « î »: GSM-7 has é, è, à and ù only, and any other letter forces
// UCS-2, which more than halves the length.
const french: BuiltInLanguage = {
  ticket: {
    subject: "Votre assistance vidéo avec {{enterprise}}",
    mail: paragraphs(
      "Bonjour {{firstname}},",
      "{{agentName}} vous propose de vous aider en direct, par vidéo.",
      "Objet : {{subject}}",
      "Votre rendez-vous est fixé au {{startDate}} à {{startTime}}.",
      "Ouvrez ce lien sur votre téléphone, votre tablette ou votre ordinateur. Vous n’avez rien à installer.",
      "{{link}}",
      "En savoir plus sur votre demande : {{informationLink}}",
      "Cordialement,\n{{enterprise}}",
    ),
    sms: "{{enterprise}} : ouvrez ce lien pour démarrer votre assistance vidéo, sans installation. {{link}}",
    button: "Démarrer la vidéo",
  },
  expert: {
    subject: "{{agentName}} a besoin de votre expertise dans un appel vidéo",
    mail: paragraphs(
      "Bonjour {{name}},",
      "{{agentName}} est en appel vidéo avec un client et vous invite à y participer en tant qu’expert.",
      "Objet : {{subject}}",
      "Ouvrez ce lien dès maintenant sur votre téléphone, votre tablette ou votre ordinateur. Vous n’avez rien à installer. Il vous est réservé et reste valable deux heures.",
      "{{link}}",
      "Cordialement,\n{{enterprise}}",
    ),
    sms: "{{agentName}} vous invite comme expert à un appel vidéo. Lien personnel, valable deux heures : {{link}}",
    button: "Rejoindre l’appel vidéo",
  },
  conference: {
    subject: "Invitation : {{name}}",
    mail: paragraphs(
      "Bonjour,",
      "{{organizerName}} vous invite à la réunion vidéo « {{name}} ».",
      "Quand : {{startDate}}, de {{startTime}} à {{endTime}}",
      "{{message}}",
      "Rejoignez la réunion depuis votre téléphone, votre tablette ou votre ordinateur. Vous n’avez rien à installer.",
      "{{link}}",
      "Par téléphone : appelez le {{dialInNumber}}, puis saisissez le code {{dialInCode}}.",
      "Cordialement,\n{{enterprise}}",
    ),
    sms: "{{organizerName}} vous invite à une réunion vidéo le {{startDate}} à {{startTime}} : {{link}}",
    button: "Rejoindre la réunion",
  },
  reminder: {
    subject: "Rappel : votre rendez-vous vidéo à {{startTime}}",
    mail: paragraphs(
      "Bonjour,",
      "Nous vous rappelons votre rendez-vous vidéo avec {{organizerName}} le {{startDate}} à {{startTime}}.",
      "Le moment venu, ouvrez ce lien. Vous n’avez rien à installer.",
      "{{link}}",
      "Cordialement,\n{{enterprise}}",
    ),
    sms: "Rappel : votre rendez-vous vidéo a lieu le {{startDate}} à {{startTime}} : {{link}}",
    button: "Ouvrir le rendez-vous",
  },
  cancel: {
    subject: "Annulation : votre rendez-vous vidéo du {{startDate}}",
    mail: paragraphs(
      "Bonjour,",
      "Votre rendez-vous vidéo avec {{organizerName}} du {{startDate}} à {{startTime}} est annulé.",
      "Nous vous prions de nous excuser pour ce contretemps.",
      "Cordialement,\n{{enterprise}}",
    ),
    sms: "{{enterprise}} : votre rendez-vous vidéo du {{startDate}} à {{startTime}} est annulé.",
    button: "",
  },
};

const byLanguage: Readonly<Record<Language, BuiltInLanguage>> = {
  fr: french,
  en: english,
  es: spanish,
  de: german,
  it: italian,
  nl: dutch,
  pt: portuguese,
};
