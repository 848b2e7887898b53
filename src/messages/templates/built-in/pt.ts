import { paragraphs, type BuiltInLanguage } from "../model.ts";

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
      "A sua marcação por vídeo com {{organizerName}} no dia {{startDate}}, às {{startTime}}, foi cancelada. O link que recebeu já não funciona.",
      "Pedimos desculpa pelo incómodo.",
      "Com os melhores cumprimentos,\n{{enterprise}}",
    ),
    sms: "{{enterprise}}: a sua videochamada de {{startDate}}, {{startTime}}, foi cancelada.",
    button: "",
  },
};
