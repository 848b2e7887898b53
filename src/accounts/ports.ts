/** What accounts need of other slices. */
import type { AuditEntry } from "../contracts/audit.ts";
import type { Trx } from "../platform/db/pool.ts";

export type Audit = { write(trx: Trx, entry: AuditEntry): Promise<void> };

/** A mail to a user. Its text holds a link that works once: whoever may list mails never sees it. */
export type AccountMail = Readonly<{
  enterpriseId: number;
  to: string;
  subject: string;
  text: string;
  /** Who asked for it. Null: the platform itself. */
  createdBy: number | null;
}>;

/** Stores a mail in the transaction; it is sent after the commit. */
export type QueueMail = (trx: Trx, mail: AccountMail) => Promise<void>;
