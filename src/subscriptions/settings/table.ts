/**
 * Every setting of a subscription, one row each, by its name in the API. Schemas, types, defaults,
 * columns, answers and audit entries follow from this table; the order is that of the API.
 */
import {
  certificateAad,
  headersAad,
  oauth2Aad,
  signatureSchemes,
  subscriptionModes,
  type ClientCertificate,
  type CustomHeader,
  type OAuth2Client,
  type SignatureScheme,
  type SubscriptionMode,
} from "../../contracts/subscriptions.ts";
import { headerPresets, type HeaderPreset, maskedValue } from "../../contracts/request-headers.ts";
import { flag, integer, nullableInteger, nullableText, text } from "../../http/schema.ts";
import { checkConditions } from "../../pipeline/ledger/conditions.ts";
import { headersAnswer, headersInput, maskHeaders, mergeHeaders } from "../custom-headers.ts";
import {
  auditCertificate,
  certificateAnswer,
  certificateInput,
  maskCertificate,
  mergeCertificate,
  type CertificateInput,
} from "./client-certificate.ts";
import { maskOAuth2, mergeOAuth2, oauth2Answer, oauth2Input, type OAuth2Input } from "./oauth2.ts";
import {
  maxRetries,
  maxRetrySeconds,
  oneLineText,
  oneOf,
  receiverUrl,
  type SealAad,
  sealedSetting,
  type SealedSetting,
  setting,
  type SettingDefinition,
  someOf,
} from "./setting.ts";
import { maxUrlLength } from "../../platform/net/address-rules.ts";

export const maxFilters = 100;

const settingsTable = {
  name: setting({
    property: "name",
    column: "name",
    input: oneLineText(128),
    answer: text,
    defaultValue: "",
  }),
  mode: setting<"mode", "mode", SubscriptionMode>({
    property: "mode",
    column: "mode",
    input: oneOf(subscriptionModes),
    answer: oneOf(subscriptionModes),
    defaultValue: "push",
    isImmutable: true,
  }),
  url: setting({
    property: "url",
    column: "url",
    input: { type: ["string", "null"], maxLength: maxUrlLength, described: receiverUrl },
    answer: nullableText,
    defaultValue: null as string | null,
    isPushOnly: true,
    audit: auditUrl,
  }),
  active: setting({
    property: "isActive",
    column: "is_active",
    input: flag,
    answer: flag,
    defaultValue: false,
  }),
  ordered: setting({
    property: "isOrdered",
    column: "is_ordered",
    input: flag,
    answer: flag,
    defaultValue: false,
    isPushOnly: true,
  }),
  maxInFlight: setting({
    property: "maxInFlight",
    column: "max_in_flight",
    input: { type: ["integer", "null"], minimum: 1, maximum: 10_000 },
    answer: nullableInteger,
    defaultValue: null as number | null,
    isPushOnly: true,
  }),
  maxPerSecond: setting({
    property: "maxPerSecond",
    column: "max_per_second",
    input: { type: ["integer", "null"], minimum: 1, maximum: 1_000 },
    answer: nullableInteger,
    defaultValue: null as number | null,
    isPushOnly: true,
  }),
  /**
   * Seconds before the second attempt, the third … `null` uses the default schedule; `[]` disables
   * retries.
   */
  retrySchedule: setting({
    property: "retrySchedule",
    column: "retry_schedule",
    input: {
      type: ["array", "null"],
      maxItems: maxRetries,
      items: { type: "integer", minimum: 1, maximum: maxRetrySeconds },
    },
    answer: { type: ["array", "null"], items: integer },
    defaultValue: null as readonly number[] | null,
    isPushOnly: true,
  }),
  filters: setting({
    property: "filters",
    column: "filters",
    input: {
      type: "array",
      maxItems: maxFilters,
      uniqueItems: true,
      items: { type: "string", minLength: 1, maxLength: 128, format: "event-filter" },
    },
    answer: { type: "array", items: text },
    defaultValue: [] as readonly string[],
  }),
  /** A query on the payload, stored as JSON text. Null: every payload. */
  conditions: setting({
    property: "conditions",
    column: "conditions",
    input: { type: ["object", "null"], described: { minProperties: 1 } },
    answer: { type: ["object", "null"], additionalProperties: true },
    defaultValue: null as string | null,
    merge: (input: Record<string, unknown> | null | undefined, { stored }) =>
      input === undefined ? stored : input && checkConditions(input),
    present: (stored) => stored && (JSON.parse(stored) as unknown),
  }),
  headers: sealedSetting({
    property: "headers",
    column: "headers_sealed",
    input: headersInput,
    answer: headersAnswer,
    defaultValue: [] as readonly CustomHeader[],
    isPushOnly: true,
    merge: mergeHeaders,
    present: maskHeaders,
    audit: (headers) => headers.map(({ name }) => name),
    aad: headersAad,
  }),
  signatures: setting({
    property: "signatures",
    column: "signatures",
    input: someOf(signatureSchemes, 1),
    answer: { type: "array", items: oneOf(signatureSchemes) },
    defaultValue: ["v1"] as readonly SignatureScheme[],
    merge: (input, { stored }) => inOrder(signatureSchemes, input ?? stored),
  }),
  headerPresets: setting({
    property: "headerPresets",
    column: "header_presets",
    input: someOf(headerPresets, 0),
    answer: { type: "array", items: oneOf(headerPresets) },
    defaultValue: [] as readonly HeaderPreset[],
    isPushOnly: true,
    merge: (input, { stored }) => inOrder(headerPresets, input ?? stored),
  }),
  oauth2: sealedSetting({
    property: "oauth2",
    column: "oauth2_sealed",
    input: oauth2Input,
    answer: oauth2Answer,
    defaultValue: null as OAuth2Client | null,
    isPushOnly: true,
    merge: (input: OAuth2Input | null | undefined, { stored, hasMoved }) =>
      mergeOAuth2(input, stored, hasMoved),
    present: (client) => client && maskOAuth2(client),
    audit: (client) => client && { ...maskOAuth2(client), tokenUrl: auditUrl(client.tokenUrl) },
    aad: oauth2Aad,
  }),
  clientCertificate: sealedSetting({
    property: "clientCertificate",
    column: "certificate_sealed",
    input: certificateInput,
    answer: certificateAnswer,
    defaultValue: null as ClientCertificate | null,
    isPushOnly: true,
    merge: (input: CertificateInput | null | undefined, { stored, ...context }) =>
      mergeCertificate(input, stored, context),
    present: (certificate) => certificate && maskCertificate(certificate),
    audit: (certificate) => certificate && auditCertificate(certificate),
    aad: certificateAad,
  }),
};

type SettingsTable = typeof settingsTable;

export type SubscriptionSettingName = keyof SettingsTable;

/** The settings of a subscription, with secrets in clear: drop it soon, never log it. */
export type SubscriptionSettings = {
  [
    Name in SubscriptionSettingName as SettingsTable[Name]["property"]
  ]: SettingsTable[Name]["defaultValue"];
};

type SettingInput<Name extends SubscriptionSettingName> = Parameters<
  NonNullable<SettingsTable[Name]["merge"]>
>[0];

/** Settings as a client sends them. Those left out keep their value, or get the default. */
export type SubscriptionInput = {
  [Name in SubscriptionSettingName]?: Exclude<SettingInput<Name>, undefined>;
};

/**
 * A change of settings. Those in `remove` get their default, even if what is stored cannot be
 * decrypted: sending the default keeps such a value, because that is how it reads.
 */
export type SubscriptionChangeInput = SubscriptionInput & {
  remove?: readonly SubscriptionSettingName[];
};

/** The settings as columns of `subscriptions`. */
export type SettingColumns = {
  [
    Name in SubscriptionSettingName as SettingsTable[Name]["column"]
  ]: SettingsTable[Name] extends SealedSetting
    ? Buffer | null
    : SettingsTable[Name]["defaultValue"];
};

type SettingRow = SettingDefinition<keyof SubscriptionSettings, keyof SettingColumns> &
  Readonly<{ name: SubscriptionSettingName; aad?: SealAad }>;

/** The table as a list. */
export const settings = Object.entries(settingsTable).map(([name, row]) => ({
  name,
  ...row,
})) as readonly SettingRow[];

/** The names of the settings that are encrypted. */
export const sealedSettings = settings
  .filter(({ aad }) => aad !== undefined)
  .map(({ name }) => name);

export const defaultSettings = Object.fromEntries(
  settings.map(({ property, defaultValue }) => [property, defaultValue]),
) as SubscriptionSettings;

/** Stores the same choice in the same order, whatever the order of the input. */
function inOrder<T>(all: readonly T[], chosen: readonly T[]): readonly T[] {
  return all.filter((one) => chosen.includes(one));
}

/** Only the origin: paths and queries of receivers often contain a key. */
function auditUrl(url: string | null): string | null {
  return url && `${new URL(url).origin}/${maskedValue}`;
}
