import {
  actionsOfObject,
  eventActions,
  objectKinds,
  serviceKinds,
  type EventAction,
  type ObjectKind,
} from "./events.ts";
import { sessionEventTypes, type SessionEventType } from "./session-events.ts";

/**
 * One filter of a subscription, `object.event` or `conversationevent.event:eventType`. Each part
 * may be `*`; `*` alone is everything that happens in the service. What the platform tells about
 * its own work has to be named: `subscription.*`, `delivery.dead`. With no filter nothing matches.
 */
export type Filter = Readonly<{
  object: ObjectKind | "*";
  event: EventAction | "*";
  eventType: SessionEventType | "*";
}>;

/** What a filter looks at: the columns of an event, as stored. */
export type FilterableEvent = Readonly<{
  object: string;
  event: string;
  eventType?: string | null | undefined;
}>;

export type EventMatcher = (event: FilterableEvent) => boolean;

/** Which part of a filter kept an event out; `unknown` for a text that is no filter (any more). */
type FilterPart = "object" | "event" | "eventType";

export type FilterMismatch = { filter: string; mismatch: FilterPart | "unknown" };

/**
 * Filters as one function, made once per revision of a subscription and called for every event.
 * A text that is no filter (any more) matches nothing.
 */
export function compileFilters(filters: readonly string[]): EventMatcher {
  const parsed = filters.map(parseFilter).filter((filter) => filter !== undefined);
  const keys = new Set(parsed.flatMap(keysOf));
  const isTyped = parsed.some(({ eventType }) => eventType !== "*");
  return ({ object, event, eventType }) => {
    const key = `${object}.${event}`;
    return keys.has(key) || (isTyped && keys.has(`${key}:${eventType ?? ""}`));
  };
}

/** Every `object.event` or `object.event:eventType` that the filter lets through. */
function keysOf({ object, event, eventType }: Filter): string[] {
  return expand(object, serviceKinds).flatMap((kind) =>
    expand(event, actionsOf(kind)).map((action) =>
      eventType === "*" ? `${kind}.${action}` : `${kind}.${action}:${eventType}`,
    ),
  );
}

function expand<Word extends string>(word: Word | "*", all: readonly Word[]): readonly Word[] {
  return word === "*" ? all : [word];
}

/**
 * Why filters do not let an event through: for each the first part that is not the event's. A
 * filter that does let it through is not in the answer, so one answer shorter than the filters
 * means that the event matches.
 */
export function explainFilters(
  filters: readonly string[],
  event: FilterableEvent,
): FilterMismatch[] {
  return filters.flatMap((text): FilterMismatch[] => {
    const filter = parseFilter(text);
    const mismatch = filter === undefined ? "unknown" : mismatchOf(filter, event);
    return mismatch === undefined ? [] : [{ filter: text, mismatch }];
  });
}

const everything: Filter = { object: "*", event: "*", eventType: "*" };

const filterPattern = /^(\*|[a-z]+)\.(\*|[a-z]+)(?::(\*|[A-Za-z.]+))?$/u;

/** The filter, or undefined for a text that names what does not exist: it could never match. */
export function parseFilter(text: string): Filter | undefined {
  if (text === "*") {
    return everything;
  }
  const [, objectText = "", eventText = "", typeText] = filterPattern.exec(text) ?? [];
  const object = matchWord(objectKinds, objectText);
  return object === undefined ? undefined : parseParts(object, eventText, typeText);
}

function parseParts(
  object: ObjectKind | "*",
  eventText: string,
  typeText: string | undefined,
): Filter | undefined {
  const event = matchWord(actionsOf(object), eventText);
  const eventType = matchWord(sessionEventTypes, typeText ?? "*");
  const mayHaveType = typeText === undefined || object === "conversationevent";
  return event === undefined || eventType === undefined || !mayHaveType
    ? undefined
    : { object, event, eventType };
}

function matchWord<Word extends string>(
  words: readonly Word[],
  text: string,
): Word | "*" | undefined {
  return text === "*" ? "*" : words.find((word) => word === text);
}

/** What can happen to an object of the service: the actions that `*.create` and the like name. */
const serviceActions = eventActions.filter((action) =>
  serviceKinds.some((kind) => actionsOfObject[kind].some((own) => own === action)),
);

function actionsOf(object: ObjectKind | "*"): readonly EventAction[] {
  return object === "*" ? serviceActions : actionsOfObject[object];
}

function mismatchOf(filter: Filter, event: FilterableEvent): FilterPart | undefined {
  if (!hasObject(filter, event)) {
    return "object";
  }
  if (filter.event !== "*" && filter.event !== event.event) {
    return "event";
  }
  return filter.eventType !== "*" && filter.eventType !== event.eventType ? "eventType" : undefined;
}

function hasObject({ object }: Filter, event: FilterableEvent): boolean {
  return object === "*"
    ? serviceKinds.some((kind) => kind === event.object)
    : object === event.object;
}
