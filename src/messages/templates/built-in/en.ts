import { paragraphs, type BuiltInLanguage } from "../model.ts";

export const english: BuiltInLanguage = {
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
      "Your video appointment with {{organizerName}} on {{startDate}} at {{startTime}} has been cancelled. The link you received no longer works.",
      "We apologize for any inconvenience.",
      "Kind regards,\n{{enterprise}}",
    ),
    sms: "{{enterprise}}: your video appointment on {{startDate}} at {{startTime}} has been cancelled.",
    button: "",
  },
};
