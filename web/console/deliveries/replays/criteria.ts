/** What a replay repeats, as the address and the form have it. Pure. */
import { listOf, type LogQuery } from "../log/search.ts";

export const replayStatuses = ["dead", "cancelled", "delivered", "never_attempted"] as const;

export type ReplayStatus = (typeof replayStatuses)[number];

const fieldNames = [
  "webhook",
  "status",
  "object",
  "eventType",
  "result",
  "since",
  "until",
] as const;

/** The filters of the list: `of` names webhooks, which a new replay has one of. */
const filterNames = ["of", "state"] as const;

/**
 * `replay`: the one that is open beside the list. `make`: the form for a new one is open, with the
 * other fields as its first values; `left` names filters of the log that a replay does not have.
 */
export type ReplaySearch = {
  [
    Name in
      | (typeof fieldNames)[number]
      | (typeof filterNames)[number]
      | "replay"
      | "make"
      | "left"
      | "page"
  ]?: string;
};

export type ReplayFields = Readonly<{
  webhook: string;
  status: readonly ReplayStatus[];
  object: string;
  eventType: string;
  result: string;
  since: string;
  until: string;
  rate: number;
}>;

export function readReplaySearch(input: Record<string, unknown>): ReplaySearch {
  return Object.fromEntries(
    [...fieldNames, ...filterNames, ...(["replay", "make", "left", "page"] as const)].flatMap(
      (name) => {
        const text = input[name];
        return typeof text === "string" && text !== "" ? [[name, text]] : [];
      },
    ),
  );
}

/** What the list shows, whatever is open beside it. */
export function listPart({ of, state, page }: ReplaySearch): ReplaySearch {
  return {
    ...(of === undefined ? {} : { of }),
    ...(state === undefined ? {} : { state }),
    ...(page === undefined ? {} : { page }),
  };
}

/** The form for a replay of what the log shows, as far as a replay can be limited to that. */
export function toReplaySearch(query: LogQuery): ReplaySearch {
  const statuses = listOf(query.status).filter((one) => replayStatuses.some((own) => own === one));
  const left = leftOut(query);
  const fields = {
    webhook: onlyOne(listOf(query.webhook)),
    status: statuses.length === 0 ? undefined : statuses.join(","),
    object: query.object,
    eventType: query.eventType,
    result: onlyOne(listOf(query.result)),
    since: query.since,
    until: query.until,
    left: left.length === 0 ? undefined : left.join(","),
  };
  const input = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { make: "1", ...Object.fromEntries(input) };
}

/** What the log is filtered by that a replay cannot be limited to. */
function leftOut(query: LogQuery): string[] {
  const { webhook, status, result, event, objectId, event_id: eventId, text, replay } = query;
  const known = listOf(status).filter((one) => replayStatuses.some((own) => own === one));
  return [
    ...(listOf(webhook).length > 1 ? ["webhook"] : []),
    ...(known.length < listOf(status).length ? ["status"] : []),
    ...(listOf(result).length > 1 ? ["result"] : []),
    ...(event === undefined ? [] : ["event"]),
    ...(objectId === undefined ? [] : ["about"]),
    ...(eventId === undefined && text === undefined ? [] : ["text"]),
    ...(replay === undefined ? [] : ["replay"]),
  ];
}

function onlyOne(words: readonly string[]): string | undefined {
  return words.length === 1 ? words[0] : undefined;
}

export function firstFields(search: ReplaySearch): ReplayFields {
  const status = replayStatuses.filter((one) => listOf(search.status).includes(one));
  return {
    webhook: search.webhook ?? "",
    status: status.length === 0 ? ["dead"] : status,
    object: search.object ?? "",
    eventType: search.eventType ?? "",
    result: search.result ?? "",
    since: search.since ?? "",
    until: search.until ?? "",
    rate: 50,
  };
}

/** What has to be chosen before anything can be counted or sent. */
export function missingFieldOf({
  webhook,
  status,
}: ReplayFields): "webhook" | "status" | undefined {
  if (webhook === "") {
    return "webhook";
  }
  return status.length === 0 ? "status" : undefined;
}

/** What a count depends on, as a text. The rate changes how long it takes and not what is counted. */
export function previewKeyOf({ rate: _rate, ...criteria }: ReplayFields): string {
  return JSON.stringify(criteria);
}

/** As the operations take it: what is left open is left out. */
export function toReplayBody(fields: ReplayFields) {
  const { webhook: _path, status, rate, ...texts } = fields;
  const input = Object.entries(texts).filter(([, text]) => text !== "");
  return { ...Object.fromEntries(input), status: [...status], rate };
}

/** How long that many take at most, in milliseconds. */
export function durationOf(count: number, rate: number): number {
  return Math.max(1, Math.ceil(count / Math.max(1, rate))) * 1_000;
}
