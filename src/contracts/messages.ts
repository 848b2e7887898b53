/**
 * The statuses of emails and SMS: `queued` → `sent` (accepted by a provider) → one of the last
 * three, which are final.
 */
export const messageStatuses = ["queued", "sent", "delivered", "undelivered", "failed"] as const;

export type MessageStatus = (typeof messageStatuses)[number];
