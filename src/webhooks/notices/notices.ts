/**
 * In: what became true about subscriptions and deliveries, in the transaction that made it so.
 * Out: operational events, and mails to the enterprise's administrators.
 * Guarantee: both are committed with what they tell of or not at all; what is told about a
 * subscription's own deliveries never causes more of the same.
 * On crash: before the commit nothing happened; after it relay and message tasks find their rows.
 */
import { operationalKinds } from "../../contracts/events.ts";
import type { WriteNotices } from "../../pipeline/ledger/notices.ts";
import type { Outbox } from "../../pipeline/outbox/append.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Queryable, Trx } from "../../platform/db/pool.ts";
import { noticeMail } from "./mail.ts";
import { findAskers, findLastFailure, findNoticed } from "./store.ts";
import { deadEvent, stateEvent, type DeadDelivery, type StateNotice, type Told } from "./told.ts";

/** Somebody who is told. `language` is a code such as `fr`. */
export type Administrator = Readonly<{ email: string; language: string; timeZone: string }>;

export type NoticeMail = Readonly<{
  enterpriseId: number;
  to: string;
  subject: string;
  text: string;
  at: Date;
}>;

export type NoticeDeps = Readonly<{
  outbox: Outbox;
  clock: Clock;
  /** Public address without a slash at the end. */
  baseUrl: string;
  listAdministrators(db: Queryable, enterpriseId: number): Promise<readonly Administrator[]>;
  /** Stores mails of one enterprise in the transaction; they are sent after the commit. */
  queueMails(trx: Trx, mails: readonly NoticeMail[]): Promise<void>;
}>;

const isOperational = (object: string): boolean => operationalKinds.some((kind) => kind === object);

/**
 * Those that anybody will get. A receiver that is dead at the end of its schedule makes thousands
 * of them, and hardly any enterprise asks: the events, and the relay's work for each, would be
 * for nobody. What is told of a delivery of what is told would never come to an end.
 */
const wantedDeaths = async (
  trx: Trx,
  deaths: readonly DeadDelivery[],
): Promise<readonly DeadDelivery[]> => {
  const ofService = deaths.filter(({ object }) => !isOperational(object));
  if (ofService.length === 0) {
    return [];
  }
  const enterpriseIds = ofService.map(({ enterpriseId }) => enterpriseId);
  const askers = await findAskers(trx, enterpriseIds);
  return ofService.filter(({ enterpriseId, subscriptionId }) =>
    askers.get(enterpriseId)?.some((id) => id !== subscriptionId),
  );
};

/**
 * With the facts to tell. A subscription that was deleted meanwhile is nobody's concern any more,
 * and how one fares that its owner switched off neither.
 */
const findTold = async (trx: Trx, notices: readonly StateNotice[], at: Date): Promise<Told[]> => {
  const told: Told[] = [];
  if (notices.length === 0) {
    return told;
  }
  const subscriptions = await findNoticed(trx, notices);
  for (const notice of notices) {
    const subscription = subscriptions.get(notice.subscriptionId);
    if (subscription && (subscription.isActive || notice.kind === "subscription.disabled")) {
      const isOver = notice.kind === "subscription.recovered";
      const lastFailure = isOver ? null : await findLastFailure(trx, notice);
      told.push({ notice, subscription, lastFailure, at });
    }
  }
  return told;
};

export const createWriteNotices = (deps: NoticeDeps): WriteNotices => {
  const { outbox, clock, baseUrl } = deps;
  const mail = async (trx: Trx, told: Told): Promise<void> => {
    const { enterpriseId, subscriptionId } = told.notice;
    const link = `${baseUrl}/settings/webhooks/${subscriptionId}`;
    const mails = (await deps.listAdministrators(trx, enterpriseId)).map((reader) => ({
      enterpriseId,
      to: reader.email,
      ...noticeMail(told, reader, link),
      at: told.at,
    }));
    if (mails.length > 0) {
      await deps.queueMails(trx, mails);
    }
  };

  return async (trx, notices) => {
    const deaths = notices.filter((notice) => notice.kind === "delivery.dead");
    const states = notices.filter((notice) => notice.kind !== "delivery.dead");
    const told = await findTold(trx, states, clock.now());
    const dead = await wantedDeaths(trx, deaths);
    const events = [...told.map(stateEvent), ...dead.map(deadEvent)];
    if (events.length > 0) {
      await outbox.append(trx, events);
    }
    for (const one of told) {
      await mail(trx, one);
    }
  };
};
