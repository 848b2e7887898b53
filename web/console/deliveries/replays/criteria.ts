/** The criteria of a replay, in the URL and the form. Pure. */
import { type ReplayStatus, replayStatuses } from "../../../../src/contracts/deliveries.ts";
import { listOf, type LogQuery } from "../log/search.ts";

const fieldNames = [
  "webhook",
  "status",
  "object",
  "eventType",
  "result",
  "since",
  "until",
] as const;

/** The filters of the list: `of` lists webhooks, while a new replay has exactly one. */
const filterNames = ["of", "state"] as const;

/**
 * `replay`: the one in the detail pane. `make`: the form for a new replay is open, with the other
 * fields as initial values; `left` lists filters of the log that a replay does not support.
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

/** The part of the search that determines the list. */
export function listPart({ of, state, page }: ReplaySearch): ReplaySearch {
  return {
    ...(of === undefined ? {} : { of }),
    ...(state === undefined ? {} : { state }),
    ...(page === undefined ? {} : { page }),
  };
}

/** Form values for a replay of the log's current filters, as far as a replay supports them. */
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

/** Filters of the log that a replay does not support. */
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

/** The required field that is still missing. */
export function missingFieldOf({
  webhook,
  status,
}: ReplayFields): "webhook" | "status" | undefined {
  if (webhook === "") {
    return "webhook";
  }
  return status.length === 0 ? "status" : undefined;
}

/** Query key of the preview. Without the rate, which does not change the count. */
export function previewKeyOf({ rate: _rate, ...criteria }: ReplayFields): string {
  return JSON.stringify(criteria);
}

/** The API's request body; empty fields are omitted. */
export function toReplayBody(fields: ReplayFields) {
  const { webhook: _path, status, rate, ...texts } = fields;
  const input = Object.entries(texts).filter(([, text]) => text !== "");
  return { ...Object.fromEntries(input), status: [...status], rate };
}

/** Maximum duration of a replay, in milliseconds. */
export function durationOf(count: number, rate: number): number {
  return Math.max(1, Math.ceil(count / Math.max(1, rate))) * 1_000;
}
