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
 * A filter of a subscription: `object.event` or `conversationevent.event:eventType`. Each part may
 * be `*`. The filter `*` matches every event except operational ones, which must be named:
 * `subscription.*`, `delivery.dead`. Without a filter nothing matches.
 */
export type Filter = Readonly<{
  object: ObjectKind | "*";
  event: EventAction | "*";
  eventType: SessionEventType | "*";
}>;

/** The columns of an event that filters match. */
export type FilterableEvent = Readonly<{
  object: string;
  event: string;
  eventType?: string | null | undefined;
}>;

export type EventMatcher = (event: FilterableEvent) => boolean;

/**
 * The part of a filter that did not match; `unknown` for a text that is not (or no longer) a valid
 * filter.
 */
type FilterPart = "object" | "event" | "eventType";

export type FilterMismatch = { filter: string; mismatch: FilterPart | "unknown" };

/**
 * Compiles filters to one predicate, once per revision of a subscription. A text that is not (or no
 * longer) a valid filter matches nothing.
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

/** Every `object.event` or `object.event:eventType` that the filter matches. */
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
 * Why filters do not match an event: for each filter, the first part that differs. Matching filters
 * are left out, so an answer shorter than `filters` means that the event matches.
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

/** Parses a filter. Undefined if it names something that does not exist. */
export function parseFilter(text: string): Filter | undefined {
  if (text === "*") {
    return everything;
  }
  const [, objectText = "", eventText = "", typeText] = filterPattern.exec(text) ?? [];
  const object = matchWord(objectKinds, objectText);
  return object === undefined ? undefined : parseParts(object, eventText, typeText);
}

/** The first part of a text that names nothing, and the words that are possible there. */
export type UnknownPart = Readonly<{
  part: FilterPart;
  word: string;
  /** The object of the filter, as given. */
  object: string;
  /** Empty if the part itself is not possible. */
  possible: readonly string[];
}>;

const filterForm = /^([^.:]+)\.([^.:]+)(?::(.+))?$/u;

/** Why a text is not a filter. Undefined if it is one, or does not have the form of one. */
export function findUnknownPart(text: string): UnknownPart | undefined {
  const [, object, event = "", eventType = "*"] = filterForm.exec(text) ?? [];
  if (object === undefined || parseFilter(text) !== undefined) {
    return undefined;
  }
  const kind = matchWord(objectKinds, object);
  if (kind === undefined) {
    return { part: "object", word: object, object, possible: objectKinds };
  }
  const actions = actionsOf(kind);
  if (matchWord(actions, event) === undefined) {
    return { part: "event", word: event, object, possible: actions };
  }
  const possible = kind === "conversationevent" ? typesLike(eventType) : [];
  return { part: "eventType", word: eventType, object, possible };
}

/** The event types of the same group (`ticket.…`), or all if there is no such group. */
function typesLike(word: string): readonly SessionEventType[] {
  const [group = ""] = word.split(".", 1);
  const alike = sessionEventTypes.filter((type) => type.startsWith(`${group}.`));
  return alike.length === 0 ? sessionEventTypes : alike;
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

/** The actions of service objects, which `*.create` and similar filters may name. */
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
