import type { EventAction, OutboundEvent } from "../contracts/events.ts";
import type { Message } from "./message.ts";

/** Nothing is told about mails; of an SMS the id, which is all that its webhooks carry. */
export function smsEvents(
  event: EventAction,
  messages: readonly Pick<Message, "id" | "enterpriseId" | "channel">[],
): OutboundEvent[] {
  return messages
    .filter(({ channel }) => channel === "sms")
    .map(({ id, enterpriseId }) => ({
      enterpriseId,
      key: `smsmessage:${id}`,
      event,
      object: "smsmessage",
      objectId: id,
      props: {},
    }));
}
