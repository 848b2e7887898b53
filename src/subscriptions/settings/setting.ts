/** The definition of one setting of a subscription, and building blocks for its schemas. */
import { parseFilter } from "../../contracts/filters.ts";
import { invalidParameter } from "../../contracts/problems.ts";
import { originOf, type SubscriptionMode } from "../../contracts/subscriptions.ts";
import type { JsonSchema } from "../../http/route.ts";
import { keepPausedMs } from "../../pipeline/ledger/switch-off.ts";

/** Binds a sealed value to its row. */
export type SealAad = (enterpriseId: number, subscriptionId: number) => string;

export type MergeContext<Value> = Readonly<{
  stored: Value;
  /** Whether the change moves the URL to another origin: stored secrets must not go there. */
  hasMoved: boolean;
  now: Date;
}>;

export type SettingDefinition<
  Property extends string = string,
  Column extends string = string,
  Value = unknown,
  Input = unknown,
> = Readonly<{
  /** The member of `SubscriptionSettings`. */
  property: Property;
  /** The column of `subscriptions`. */
  column: Column;
  /** JSON schema of the request body. */
  input: JsonSchema;
  /** JSON schema of the answer. */
  answer: JsonSchema;
  defaultValue: Value;
  /** Applies to requests only: not available in pull mode. */
  isPushOnly?: true;
  /** Set at creation, never changed. */
  isImmutable?: true;
  /** The value to store. Without it: the input as it is, or what is stored if there is none. */
  merge?(input: Input | undefined, context: MergeContext<Value>): Value;
  /** The value as the API shows it. Without it: as stored. */
  present?(value: Value): unknown;
  /** The value as the audit log keeps it. Without it: as the API shows it. */
  audit?(value: Value): unknown;
}>;

export type SealedSetting<
  Property extends string = string,
  Column extends string = string,
  Value = unknown,
  Input = unknown,
> = SettingDefinition<Property, Column, Value, Input> &
  Readonly<{
    /** The value is encrypted with the platform's key, unless it is null or an empty list. */
    aad: SealAad;
  }>;

/** Neither control characters nor characters that change the direction of text. */
const noControls = {
  pattern: "^[^\\x00-\\x1f\\x7f-\\x9f\u202A-\u202E\u2066-\u2069]*$",
  rule: "one line of text, without control or bidi-override characters",
} as const;

export const receiverUrl = {
  format: "uri",
  description: "https; port 443 or at least 1024; no user, password or fragment",
  examples: ["https://crm.example.com/hooks"],
} as const;

export function setting<
  const Property extends string,
  const Column extends string,
  Value,
  Input = Value,
>(
  definition: SettingDefinition<Property, Column, Value, Input>,
): SettingDefinition<Property, Column, Value, Input> {
  return definition;
}

export function sealedSetting<
  const Property extends string,
  const Column extends string,
  Value,
  Input = Value,
>(
  definition: SealedSetting<Property, Column, Value, Input>,
): SealedSetting<Property, Column, Value, Input> {
  return definition;
}

/** One line, which may be empty. */
export function oneLineText(maxLength: number) {
  return { type: "string", maxLength, ...noControls } as const;
}

/** One line that is not empty. */
export function requiredText(maxLength: number) {
  return { type: "string", minLength: 1, maxLength, ...noControls } as const;
}

export function someOf(values: readonly string[], minItems: number): JsonSchema {
  return {
    type: "array",
    minItems,
    maxItems: values.length,
    uniqueItems: true,
    items: oneOf(values),
  };
}

export function oneOf(values: readonly string[]): JsonSchema {
  return { type: "string", enum: values };
}

export function objectOrNull(schema: JsonSchema): JsonSchema {
  return { ...schema, type: ["object", "null"] };
}

/** Rules about single settings. */
export const maxRetries = 20;

export const maxRetrySeconds = 86_400;

/**
 * Whether webhooks may be sent to a URL, checked when it is saved. `href` is its normalised form.
 * The detail never reveals the address of a blocked name.
 */
export type CheckUrl = (
  url: string,
) => Promise<
  { isAllowed: true; href: string } | { isAllowed: false; reason: string; detail: string }
>;

/** Rejects a change of the mode. The same mode may be sent again. */
export function checkModeUnchanged(
  before: SubscriptionMode,
  input: SubscriptionMode | undefined,
): void {
  if (input !== undefined && input !== before) {
    const detail = `The mode of a webhook cannot be changed; this one is ${before}. Create another webhook.`;
    throw invalidParameter("mode", "fixed", detail);
  }
}

/** Throws the problem of the first invalid filter. */
export function checkFilters(filters: readonly string[]): void {
  filters.forEach((text, index) => {
    if (parseFilter(text) === undefined) {
      const detail = `The filter "${text}" matches no event type. GET /api/webhooks/event-types lists them all.`;
      throw invalidParameter(`filters[${index}]`, "unknown", detail);
    }
  });
}

const maxTotalSeconds = keepPausedMs / 1_000;

/** Rejects a schedule that is longer than paused deliveries are kept (7 days). */
export function checkRetrySchedule(schedule: readonly number[] | null | undefined): void {
  const total = (schedule ?? []).reduce((sum, seconds) => sum + seconds, 0);
  if (total > maxTotalSeconds) {
    const detail = `The pauses of retrySchedule may add up to at most ${maxTotalSeconds} seconds (seven days).`;
    throw invalidParameter("retrySchedule", "length", detail);
  }
}

/**
 * The normalised URL, to be stored. Throws the problem of a URL that requests cannot be sent to;
 * `field` is its name.
 */
export async function checkedUrl(text: string, checkUrl: CheckUrl, field = "url"): Promise<string> {
  const verdict = await checkUrl(text);
  if (!verdict.isAllowed) {
    throw invalidParameter(field, verdict.reason, verdict.detail);
  }
  return verdict.href;
}

/** Whether requests go to another origin than before. Stored secrets must not be sent there. */
export function hasOtherOrigin(after: string | null, before: string | null): boolean {
  return after !== null && originOf(after) !== originOf(before);
}

const inboxPath = /\/inbox\/(?<key>[A-Za-z0-9]{22})$/u;

/** The key of an inbox URL, whatever its host and query string. */
export function inboxKeyOf(url: string | null): string | undefined {
  return url === null || !URL.canParse(url)
    ? undefined
    : inboxPath.exec(new URL(url).pathname)?.groups?.["key"];
}
