export const channels = ["email", "sms"] as const;

export type Channel = (typeof channels)[number];

/** `queued` → `sent` (a provider took it) → one of the last three, which are final. */
export const messageStatuses = ["queued", "sent", "delivered", "undelivered", "failed"] as const;

export type MessageStatus = (typeof messageStatuses)[number];

export type Message = Readonly<{
  id: number;
  enterpriseId: number;
  channel: Channel;
  /** The same in every try: given to providers that take a key. */
  uid: string;
  ticketId: number | null;
  conferenceId: number | null;
  recipient: string;
  sender: string;
  subject: string | null;
  text: string;
  html: string | null;
  /** An iCalendar object (RFC 5545); its METHOD says whether it invites or cancels. */
  calendar: string | null;
  segments: number | null;
  /** Holds a secret: the API does not show it, and its text goes when it was sent. */
  isPrivate: boolean;
  status: MessageStatus;
  provider: string | null;
  providerId: string | null;
  /** A stable word: `opted_out`, `invalid_recipient`, `http_503`, … */
  error: string | null;
  attempts: number;
  createdAt: Date;
  modifiedAt: Date;
  sentAt: Date | null;
}>;

/** A message as a use case hands it over. Addresses are in the form in which they are stored. */
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
  createdBy: number | null;
  at: Date;
}>;

/** The enterprise does not want to write to this number, because its owner said so. */
export const optedOut = "opted_out";

const ranks: Record<MessageStatus, number> = {
  queued: 0,
  sent: 1,
  delivered: 2,
  undelivered: 2,
  failed: 2,
};

/** Reports come late, twice and in any order: what is final stays, and nothing goes back. */
export function isProgress(from: MessageStatus, to: MessageStatus): boolean {
  return ranks[to] > ranks[from];
}
