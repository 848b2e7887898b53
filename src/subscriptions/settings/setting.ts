/** What defines one setting of a subscription. */
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
  /** Only for requests, which a subscription in pull mode never makes. */
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
