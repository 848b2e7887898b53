import type { MessageStatus } from "../../../src/contracts/invitations.ts";
import type { components } from "../../base/api-types.ts";
import type { Meaning } from "../../components/meaning.ts";

export type Sms = components["schemas"]["Sms"];
export type Email = components["schemas"]["Email"];
export type Message = Sms | Email;

export const meaningOf: Readonly<Record<MessageStatus, Meaning>> = {
  queued: "waiting",
  sent: "good",
  delivered: "good",
  undelivered: "bad",
  failed: "bad",
};

export function isEmail(message: Message): message is Email {
  return "subject" in message;
}
