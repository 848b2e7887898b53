/** What the address of the messages says. Pure. */
import { pageQuery } from "../../base/paging.ts";
import { messageStatuses, type Channel, type MessageStatus } from "./types.ts";

export const ages = ["day", "week", "month"] as const;

export type MessageSearch = Readonly<{
  /** SMS where it is not said. */
  channel?: Channel | undefined;
  /** One or more, separated by commas. */
  status?: string | undefined;
  to?: string | undefined;
  /** How old they are at most. */
  age?: (typeof ages)[number] | undefined;
  /** From 1. */
  page?: string | undefined;
  /** Id of the message that is open beside the list. */
  message?: string | undefined;
}>;

export const pageSize = 25;

const textOf = (given: unknown): string | undefined =>
  typeof given === "string" && given.trim() !== "" ? given : undefined;

export const statusesOf = (status: string | undefined): MessageStatus[] => {
  const named = (status ?? "").split(",");
  return messageStatuses.filter((one) => named.includes(one));
};

export const openIdOf = ({ message }: MessageSearch): number | undefined =>
  message !== undefined && /^[1-9]\d{0,8}$/u.test(message) ? Number(message) : undefined;

export const messageSearch = (given: Record<string, unknown>): MessageSearch => {
  const status = statusesOf(textOf(given["status"])).join(",");
  const search: MessageSearch = {
    channel: given["channel"] === "email" ? "email" : undefined,
    status: status === "" ? undefined : status,
    to: textOf(given["to"])?.slice(0, 320),
    age: ages.find((age) => age === given["age"]),
    page: textOf(given["page"]),
    message: textOf(given["message"]),
  };
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
};

/** Takes all filters away. */
export const unfiltered = { status: "", to: "", age: "" };

const filters = Object.keys(unfiltered) as (keyof typeof unfiltered)[];

/** The filters alone. */
export const filtersOf = (search: MessageSearch): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(filters.map((name) => [name, search[name]]));

export const isNarrowed = (search: MessageSearch): boolean =>
  filters.some((name) => search[name] !== undefined);

const daysOf = { day: 1, week: 7, month: 30 };

/** The same as the parameters of the lists of the service. */
export const queryOf = (search: MessageSearch, now: Date) => ({
  ...pageQuery(search.page, pageSize),
  ...(search.status === undefined ? {} : { status: search.status }),
  ...(search.to === undefined ? {} : { to: search.to.trim() }),
  ...(search.age === undefined
    ? {}
    : { since: new Date(now.getTime() - daysOf[search.age] * 86_400_000).toISOString() }),
});
