import { parseFilter } from "../contracts/filters.ts";
import { invalidParameter, missingParameter } from "../contracts/problems.ts";
import type { CustomHeader } from "../contracts/subscriptions.ts";

export const maxSubscriptions = 20;
export const maxFilters = 100;

/** What can be configured of a subscription. */
export type Settings = {
  name: string;
  url: string | null;
  isActive: boolean;
  isOrdered: boolean;
  maxInFlight: number | null;
  filters: readonly string[];
  headers: readonly CustomHeader[];
};

/** A subscription with the values of its headers in the clear: keep it short, never log it. */
export type Subscription = Settings & {
  id: number;
  enterpriseId: number;
  disabledReason: string | null;
  revision: number;
  created: Date;
  modified: Date;
  lastSuccess: Date | null;
  lastFailure: Date | null;
  failingSince: Date | null;
};

/** A subscription as a client gives it: what is left out stays as it is, or gets its default. */
export type SubscriptionInput = {
  name?: string;
  url?: string | null;
  active?: boolean;
  ordered?: boolean;
  maxInFlight?: number | null;
  filters?: string[];
  headers?: CustomHeader[];
};

export const defaultSettings: Settings = {
  name: "",
  url: null,
  isActive: false,
  isOrdered: false,
  maxInFlight: null,
  filters: [],
  headers: [],
};

/** Throws the problem of the first text that is no filter. */
export const checkFilters = (filters: readonly string[]): void => {
  filters.forEach((text, index) => {
    if (parseFilter(text) === undefined) {
      const detail = `The filter "${text}" names no event. See GET /api/webhooks/event-types.`;
      throw invalidParameter(`filters[${index}]`, "unknown", detail);
    }
  });
};

/** The settings after a change. `url` and `headers` come already checked, in the form to store. */
export const applyInput = (
  before: Settings,
  input: SubscriptionInput,
  checked: Pick<Settings, "url" | "headers">,
): Settings => {
  const after: Settings = {
    name: input.name ?? before.name,
    url: checked.url,
    isActive: input.active ?? before.isActive,
    isOrdered: input.ordered ?? before.isOrdered,
    maxInFlight: input.maxInFlight === undefined ? before.maxInFlight : input.maxInFlight,
    filters: input.filters ?? before.filters,
    headers: checked.headers,
  };
  if (after.isActive && after.url === null) {
    throw missingParameter("url", "An active webhook needs a url.");
  }
  return after;
};

/** What a change means for deliveries that already exist. */
export type Switch = "on" | "off" | "moved" | "none";

export const switchOf = (before: Settings, after: Settings): Switch => {
  if (before.isActive !== after.isActive) {
    return after.isActive ? "on" : "off";
  }
  return after.isActive && before.url !== after.url ? "moved" : "none";
};
