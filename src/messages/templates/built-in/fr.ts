import { paragraphs, type BuiltInLanguage } from "../model.ts";

// SMS texts avoid « ê », « ç », « î »: GSM-7 has é, è, à and ù only, and any other letter forces
// UCS-2, which more than halves the length.
export const french: BuiltInLanguage = {
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
      "Votre rendez-vous vidéo avec {{organizerName}} du {{startDate}} à {{startTime}} est annulé. Le lien que vous avez reçu ne fonctionne plus.",
      "Nous vous prions de nous excuser pour ce contretemps.",
      "Cordialement,\n{{enterprise}}",
    ),
    sms: "{{enterprise}} : votre rendez-vous vidéo du {{startDate}} à {{startTime}} est annulé.",
    button: "",
  },
};
