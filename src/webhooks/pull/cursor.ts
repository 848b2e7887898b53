import { invalidParameter } from "../../contracts/problems.ts";

/**
 * A place in the events of one subscription, as clients carry it: opaque to them. It holds the
 * subscription as well, so that a cursor of another one is refused instead of skipping events.
 */
export function toCursor(subscriptionId: number, sequence: number): string {
  return Buffer.from(`${subscriptionId}.${sequence}`).toString("base64url");
}

const form = /^(?<subscription>\d{1,15})\.(?<sequence>\d{1,15})$/u;

/** The sequence that a cursor stands for. Throws the problem where it is none of this webhook. */
export function parseCursor(subscriptionId: number, cursor: string): number {
  const { groups } = form.exec(Buffer.from(cursor, "base64url").toString("latin1")) ?? {};
  if (groups === undefined || cursor.length > 64) {
    throw invalidParameter("after", "format", "The cursor is none that this API gave.");
  }
  if (Number(groups["subscription"]) !== subscriptionId) {
    throw invalidParameter("after", "unknown", "The cursor is one of another webhook.");
  }
  return Number(groups["sequence"]);
}
