/** What a client asks of the log, as it writes it. Pure. */
import { invalidParameter } from "../../contracts/problems.ts";
import { parsePage, type PageRule } from "../../http/paging.ts";
import { parseBound } from "../../http/values.ts";
import { decodeCursor, fingerprintOf } from "./cursor.ts";
import { attemptResults, type DeliveryFilter } from "./filter.ts";
import type { ListDeliveriesQuery, SearchDeliveriesQuery } from "./schema.ts";
import type { Part } from "./service.ts";
import { deliveryStates } from "./store.ts";

const wordsOf = (text: string | undefined): string[] =>
  (text ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");

const parseList = <Word extends string>(
  field: string,
  text: string | undefined,
  known: readonly Word[],
): Word[] => {
  const words = wordsOf(text).map((word) => {
    const found = known.find((one) => one === word);
    if (found === undefined) {
      throw invalidParameter(field, "enum", `"${word}" is none of: ${known.join(", ")}.`);
    }
    return found;
  });
  return [...new Set(words)];
};

const parseIds = (field: string, text: string | undefined): number[] =>
  wordsOf(text).map((word) => {
    const id = /^\d{1,15}$/u.test(word) ? Number(word) : 0;
    if (id < 1) {
      throw invalidParameter(field, "format", `"${word}" is not an id.`);
    }
    return id;
  });

const checkText = (text: string | undefined): string | undefined => {
  if (text?.includes("\u0000") === true) {
    throw invalidParameter("text", "format", "The text holds a character that no payload has.");
  }
  return text;
};

/** Throws `invalid_parameter` for what cannot be asked for. */
export const parseFilter = (query: SearchDeliveriesQuery): DeliveryFilter => ({
  subscriptionIds: parseIds("webhook", query.webhook),
  states: parseList("status", query.status, deliveryStates),
  results: parseList("result", query.result, attemptResults),
  object: query.object,
  event: query.event,
  eventType: query.eventType,
  objectId: query.objectId,
  eventId: query.eventId,
  text: checkText(query.text),
  replayId: query.replay,
  since: parseBound("since", query.since),
  until: parseBound("until", query.until),
});

export const searchRule: PageRule = { defaultLimit: 50, maxLimit: 200 };
export const listRule: PageRule = { defaultLimit: 10, maxLimit: 100 };
/** Whatever lies further back is reached by the cursor, which costs the same on every page. */
export const largestOffset = 10_000;

/** What a cursor is bound to: whose log, of which webhook, and every filter. */
export const searchOf = (
  owner: { enterpriseId: number; subscriptionId?: number },
  filter: DeliveryFilter,
): string => fingerprintOf([owner.enterpriseId, owner.subscriptionId ?? null, filter]);

const checkOffset = ({ cursor, offset = 0 }: ListDeliveriesQuery): void => {
  if (cursor !== undefined && offset > 0) {
    throw invalidParameter("offset", "exclusive", "Give either a cursor or an offset.");
  }
  if (offset > largestOffset) {
    const detail = `The offset must be between 0 and ${largestOffset}. Go on with cursor instead: each answer holds the next one in next_cursor.`;
    throw invalidParameter("offset", "range", detail);
  }
};

/** Which page of a search that has this fingerprint. */
export const parsePart = (
  query: ListDeliveriesQuery,
  fingerprint: string,
  rule: PageRule,
): Part => {
  const { limit, offset } = parsePage(query, rule);
  checkOffset(query);
  const before = query.cursor === undefined ? undefined : decodeCursor(query.cursor, fingerprint);
  return { before, limit, offset };
};
