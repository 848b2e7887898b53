/** The URL parameters of the messages. Pure. */
import { pageQuery } from "../../base/paging.ts";
import {
  type Channel,
  messageStatuses,
  type MessageStatus,
} from "../../../src/contracts/invitations.ts";

export const ages = ["day", "week", "month"] as const;

export type MessageSearch = Readonly<{
  /** Defaults to SMS. */
  channel?: Channel | undefined;
  /** One or more, separated by commas. */
  status?: string | undefined;
  to?: string | undefined;
  /** Maximum age. */
  age?: (typeof ages)[number] | undefined;
  /** From 1. */
  page?: string | undefined;
  /** Id of the message in the detail pane. */
  message?: string | undefined;
}>;

export const pageSize = 25;

/** Clears all filters. */
export const unfiltered = { status: "", to: "", age: "" };

const filters = Object.keys(unfiltered) as (keyof typeof unfiltered)[];

export function openIdOf({ message }: MessageSearch): number | undefined {
  return message !== undefined && /^[1-9]\d{0,8}$/u.test(message) ? Number(message) : undefined;
}

export function messageSearch(input: Record<string, unknown>): MessageSearch {
  const status = statusesOf(textOf(input["status"])).join(",");
  const search: MessageSearch = {
    channel: input["channel"] === "email" ? "email" : undefined,
    status: status === "" ? undefined : status,
    to: textOf(input["to"])?.slice(0, 320),
    age: ages.find((age) => age === input["age"]),
    page: textOf(input["page"]),
    message: textOf(input["message"]),
  };
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
}

export function statusesOf(status: string | undefined): MessageStatus[] {
  const named = (status ?? "").split(",");
  return messageStatuses.filter((one) => named.includes(one));
}

function textOf(input: unknown): string | undefined {
  return typeof input === "string" && input.trim() !== "" ? input : undefined;
}

/** The filters without the other parameters. */
export function filtersOf(search: MessageSearch): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(filters.map((name) => [name, search[name]]));
}

export function isNarrowed(search: MessageSearch): boolean {
  return filters.some((name) => search[name] !== undefined);
}

const daysOf = { day: 1, week: 7, month: 30 };

/** The API's query parameters. */
export function queryOf(search: MessageSearch, now: Date) {
  return {
    ...pageQuery(search.page, pageSize),
    ...(search.status === undefined ? {} : { status: search.status }),
    ...(search.to === undefined ? {} : { to: search.to.trim() }),
    ...(search.age === undefined
      ? {}
      : { since: new Date(now.getTime() - daysOf[search.age] * 86_400_000).toISOString() }),
  };
}
