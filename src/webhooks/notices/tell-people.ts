/** Mails about a webhook to everybody who is to be told, in the transaction that made it true. */
import type { Queryable, Trx } from "../../platform/db/pool.ts";
import { noticeMail, type MailFacts } from "./mail.ts";

/** Somebody who is told. `language` is a code such as `fr`. */
export type Recipient = Readonly<{
  email: string;
  language: string;
  timeZone: string;
  /** Of an address outside the platform: where its owner stops these mails. */
  stopLink?: string;
}>;

export type NoticeMail = Readonly<{
  enterpriseId: number;
  to: string;
  subject: string;
  text: string;
  at: Date;
}>;

export type TellPeopleDeps = Readonly<{
  /** Public address without a slash at the end. */
  baseUrl: string;
  /** Whom the enterprise wants told; nobody who did not agree. */
  listRecipients(db: Queryable, enterpriseId: number): Promise<readonly Recipient[]>;
  /** Stores mails of one enterprise in the transaction; they are sent after the commit. */
  queueMails(trx: Trx, mails: readonly NoticeMail[]): Promise<void>;
}>;

export type TellPeople = (trx: Trx, facts: MailFacts) => Promise<void>;

export function createTellPeople({
  baseUrl,
  listRecipients,
  queueMails,
}: TellPeopleDeps): TellPeople {
  return async (trx, facts) => {
    const { id, enterpriseId } = facts.subscription;
    const link = `${baseUrl}/settings/webhooks/${id}`;
    const mails = (await listRecipients(trx, enterpriseId)).map((reader) => ({
      enterpriseId,
      to: reader.email,
      ...noticeMail(facts, reader, link),
      at: facts.at,
    }));
    if (mails.length > 0) {
      await queueMails(trx, mails);
    }
  };
}
