import type { MessageStatus, Channel } from "../contracts/invitations.ts";
import type { EventAction, OutboundEvent } from "../contracts/events.ts";
import { SegmentedMessage } from "sms-segments-calculator";

export type Message = Readonly<{
  id: number;
  enterpriseId: number;
  channel: Channel;
  /** Idempotency key: the same in every attempt. */
  uid: string;
  ticketId: number | null;
  conferenceId: number | null;
  recipient: string;
  sender: string;
  subject: string | null;
  text: string;
  html: string | null;
  /** An iCalendar object (RFC 5545). Its METHOD is REQUEST or CANCEL. */
  calendar: string | null;
  segments: number | null;
  /** Contains a secret: hidden in the API, and the text is cleared after sending. */
  isPrivate: boolean;
  status: MessageStatus;
  provider: string | null;
  providerId: string | null;
  /** A stable code: `opted_out`, `invalid_recipient`, `http_503`, … */
  error: string | null;
  attempts: number;
  createdAt: Date;
  modifiedAt: Date;
  sentAt: Date | null;
}>;

/** A message of a use case. Addresses are in their stored form. */
export type NewMessage = Readonly<{
  enterpriseId: number;
  channel: Channel;
  recipient: string;
  /** Mails only. */
  subject?: string | null;
  text: string;
  html?: string | null;
  calendar?: string | null;
  ticketId?: number | null;
  conferenceId?: number | null;
  isPrivate?: boolean;
  /** Contains the link of its ticket or conference: not sent once that is over. */
  endsWithSubject?: boolean;
  createdBy: number | null;
  at: Date;
}>;

/** The owner of the number has opted out of messages. */
export const optedOut = "opted_out";

/** The ticket or conference was over, or had other news, before the message could be sent. */
export const outdated = "outdated";

const ranks: Record<MessageStatus, number> = {
  queued: 0,
  sent: 1,
  delivered: 2,
  undelivered: 2,
  failed: 2,
};

/**
 * Status reports may be late, repeated or out of order: a final status stays, and a status never
 * goes back.
 */
export function isProgress(from: MessageStatus, to: MessageStatus): boolean {
  return ranks[to] > ranks[from];
}

/** Events for SMS only; the payload is the id. */
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

export type Segments = Readonly<{
  segments: number;
  /** GSM-7 extension characters count twice. */
  characters: number;
  encoding: "GSM-7" | "UCS-2";
}>;

/** Ten GSM-7 segments. */
export const maxSmsLength = 1_530;

/**
 * The segments and the encoding of an SMS. Exact up to the maximum length. Longer texts are
 * estimated, because counting them takes seconds.
 */
export function countSegments(text: string): Segments {
  if (text.length > maxSmsLength) {
    return estimate(text);
  }
  const counted = new SegmentedMessage(text, "auto");
  const encoding = counted.encodingName;
  return { segments: counted.segmentsCount, characters: counted.numberOfCharacters, encoding };
}

const charactersOfPart = { "GSM-7": 153, "UCS-2": 67 } as const;

/** Estimates a text over the maximum length from its set of characters. */
function estimate(text: string): Segments {
  const kinds = [...new Set(text)].slice(0, maxSmsLength).join("");
  const { encodingName: encoding } = new SegmentedMessage(kinds, "auto");
  const segments = Math.ceil(text.length / charactersOfPart[encoding]);
  return { segments, characters: text.length, encoding };
}
