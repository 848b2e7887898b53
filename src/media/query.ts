/** What a client asked a list for → what is looked for, or the 400 that names the field. Pure. */
import { parseBound } from "../http/values.ts";
import type { MediaState } from "../contracts/events.ts";
import { invalidParameter, missingParameter } from "../contracts/problems.ts";
import { wordsIn } from "../http/fields/words.ts";
import { parsePage } from "../http/paging.ts";
import { usualPage } from "../http/request-schema.ts";
import type { MediaFilter, MediaPage } from "./list-store.ts";
import type { Rectangle } from "./ocr-engine.ts";
import type { ParentRef } from "./media.ts";
import type { MediaListQuery, ParentListQuery } from "./schema.ts";

export function parseMediaPage(query: ParentListQuery): MediaPage {
  return {
    ...parsePage(query, usualPage),
    orderby: query.orderby ?? "date",
    order: query.order ?? "desc",
  };
}

export function parseMediaFilter(query: MediaListQuery): MediaFilter {
  return {
    parent: parseParent(query),
    states: parseStates(query.status),
    since: parseBound("since", query.since),
    until: parseBound("until", query.until),
  };
}

/** The one of the two that is given; undefined where none is. */
export function parseParent(given: {
  ticketId?: number;
  conferenceId?: number;
}): ParentRef | undefined {
  const { ticketId, conferenceId } = given;
  if (ticketId !== undefined && conferenceId !== undefined) {
    throw invalidParameter("conferenceId", "both", "Give a ticketId or a conferenceId, not both.");
  }
  if (ticketId !== undefined) {
    return { name: "ticket", id: ticketId };
  }
  return conferenceId === undefined ? undefined : { name: "conference", id: conferenceId };
}

/** A comma list of states, which the schema knows; undefined where none is given. */
export function parseStates(status: string | undefined): MediaState[] | undefined {
  const words = wordsIn(status ?? "");
  return words.length === 0 ? undefined : (words as MediaState[]);
}

const sides = ["left", "top", "width", "height"] as const;

/** All four sides, or none: then the whole picture is meant. */
export function parseRectangle(given: Partial<Rectangle>): Rectangle | undefined {
  const missing = sides.filter((side) => given[side] === undefined);
  const [first] = missing;
  if (first === undefined) {
    return given as Rectangle;
  }
  if (missing.length < sides.length) {
    throw missingParameter(
      first,
      "Give left, top, width and height together, or none of them for the whole picture.",
    );
  }
  return undefined;
}
