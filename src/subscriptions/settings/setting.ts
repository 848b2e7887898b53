/** The definition of one setting of a subscription, and building blocks for its schemas. */
import type { JsonSchema } from "../../http/route.ts";

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
