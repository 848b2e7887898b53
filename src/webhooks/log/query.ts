/** What a client asks of the log, as it writes it. Pure. */
import { invalidParameter } from "../../contracts/problems.ts";
import { wordsIn } from "../../http/fields/words.ts";
import { parsePage, type PageRule } from "../../http/paging.ts";
import { parseBound } from "../../http/values.ts";
import { decodeCursor, fingerprintOf } from "./cursor.ts";
import type { AttemptResult, DeliveryFilter } from "./filter.ts";
import { largestOffset, type ListDeliveriesQuery, type SearchDeliveriesQuery } from "./schema.ts";
import type { Part } from "./service.ts";
import type { DeliveryState } from "./store.ts";

/** Throws `invalid_parameter` for what cannot be asked for. */
export function parseFilter(query: SearchDeliveriesQuery): DeliveryFilter {
  return {
    subscriptionIds: parseIds("webhook", query.webhook),
    states: listOf<DeliveryState>(query.status),
    results: listOf<AttemptResult>(query.result),
    object: query.object,
    event: query.event,
    eventType: query.eventType,
    objectId: query.objectId,
    eventId: query.eventId,
    text: checkText(query.text),
    replayId: query.replay,
    since: parseBound("since", query.since),
    until: parseBound("until", query.until),
  };
}

export function parseIds(field: string, text: string | undefined): number[] {
  return wordsIn(text ?? "").map((word) => {
    const id = /^\d{1,15}$/u.test(word) ? Number(word) : 0;
    if (id < 1) {
      throw invalidParameter(field, "format", `"${word}" is not an id.`);
    }
    return id;
  });
}

/** The schema knows the words. */
export function listOf<Word extends string>(text = ""): Word[] {
  return [...new Set(wordsIn(text) as Word[])];
}

function checkText(text: string | undefined): string | undefined {
  if (text?.includes("\u0000") === true) {
    throw invalidParameter("text", "format", "The text holds a character that no payload has.");
  }
  return text;
}

/** What a cursor is bound to: whose log, of which webhook, and every filter. */
export function searchOf(
  owner: { enterpriseId: number; subscriptionId?: number },
  filter: DeliveryFilter,
): string {
  return fingerprintOf([owner.enterpriseId, owner.subscriptionId ?? null, filter]);
}

/** Which page of a search that has this fingerprint. */
export function parsePart(query: ListDeliveriesQuery, fingerprint: string, rule: PageRule): Part {
  const { limit, offset } = parsePage(query, rule);
  checkOffset(query);
  const before = query.cursor === undefined ? undefined : decodeCursor(query.cursor, fingerprint);
  return { before, limit, offset };
}

function checkOffset({ cursor, offset = 0 }: ListDeliveriesQuery): void {
  if (cursor !== undefined && offset > 0) {
    throw invalidParameter("offset", "exclusive", "Give either a cursor or an offset.");
  }
  if (offset > largestOffset) {
    const detail = `The offset must be between 0 and ${largestOffset}. Go on with cursor instead: each answer holds the next one in next_cursor.`;
    throw invalidParameter("offset", "range", detail);
  }
}
