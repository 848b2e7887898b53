/** Converts the form to the API's body. Pure. */
import { changedFields } from "../../../base/changed-fields.ts";
import type { HeaderPreset } from "../../../../src/contracts/request-headers.ts";
import {
  initialOptions,
  isOption,
  optionsOf,
  optionValuesOf,
  type OptionValues,
} from "./option-fields.ts";
import { switches } from "./field-names.ts";
import { durationsOf, durationsText } from "./schedule.ts";
import type { Webhook, WebhookInput } from "../types.ts";

export type HeaderRow = {
  /** React key of the row. */
  key: string;
  name: string;
  value: string;
  /** Keeps the stored value. */
  isKept: boolean;
};

export type FormValues = OptionValues & {
  name: string;
  mode: "push" | "pull";
  url: string;
  active: boolean;
  filters: string[];
  /** JSON; empty for none. */
  conditions: string;
  headers: HeaderRow[];
  retries: "platform" | "own";
  /** Such as `10s, 1m, 10m`. */
  schedule: string;
  signatures: ("v1" | "v1a")[];
  headerPresets: HeaderPreset[];
  hasOauth2: boolean;
  oauth2: {
    tokenUrl: string;
    clientId: string;
    clientSecret: string;
    scope: string;
    audience: string;
    authentication: "basic" | "form";
  };
  hasCertificate: boolean;
  certificate: { certificate: string; key: string; ca: string };
};

export const emptyValues: FormValues = {
  name: "",
  mode: "push",
  url: "",
  active: false,
  filters: [],
  conditions: "",
  headers: [],
  ...initialOptions,
  retries: "platform",
  schedule: "10s, 1m, 10m, 1h, 6h, 1d",
  signatures: ["v1"],
  headerPresets: [],
  hasOauth2: false,
  oauth2: {
    ...{ tokenUrl: "", clientId: "", clientSecret: "", scope: "", audience: "" },
    authentication: "basic",
  },
  hasCertificate: false,
  certificate: { certificate: "", key: "", ca: "" },
};

export function valuesOf(webhook: Webhook): FormValues {
  return {
    name: webhook.name,
    mode: webhook.mode,
    url: webhook.url ?? "",
    active: webhook.active,
    filters: [...webhook.filters],
    conditions: webhook.conditions === null ? "" : JSON.stringify(webhook.conditions, null, 2),
    headers: webhook.headers.map(({ name, value }) => headerRow(name, value, true)),
    ...optionValuesOf(webhook),
    retries: webhook.retrySchedule === null ? "platform" : "own",
    schedule:
      webhook.retrySchedule === null ? emptyValues.schedule : durationsText(webhook.retrySchedule),
    signatures: [...webhook.signatures],
    headerPresets: [...webhook.headerPresets],
    hasOauth2: webhook.oauth2 !== null,
    oauth2: oauth2Of(webhook.oauth2),
    hasCertificate: webhook.clientCertificate !== null,
    certificate: certificateOf(webhook.clientCertificate),
  };
}

let rows = 0;

export function headerRow(name = "", value = "", isKept = false): HeaderRow {
  rows += 1;
  return { key: `header-${rows}`, name, value, isKept };
}

function oauth2Of(stored: Webhook["oauth2"]): FormValues["oauth2"] {
  return stored === null
    ? emptyValues.oauth2
    : {
        tokenUrl: stored.tokenUrl,
        clientId: stored.clientId,
        clientSecret: stored.clientSecret,
        scope: stored.scope ?? "",
        audience: stored.audience ?? "",
        authentication: stored.authentication === "form" ? "form" : "basic",
      };
}

function certificateOf(stored: Webhook["clientCertificate"]): FormValues["certificate"] {
  return stored === null
    ? emptyValues.certificate
    : { certificate: stored.certificate, key: stored.key, ca: stored.ca ?? "" };
}

/** A first check of a URL; the API checks further. */
export function urlKind(text: string): "format" | "scheme" | undefined {
  if (!URL.canParse(text)) {
    return "format";
  }
  return ["https:", "http:"].includes(new URL(text).protocol) ? undefined : "scheme";
}

/** Changed fields only, so that concurrent changes of others are kept. */
export function changedOf(before: FormValues, after: FormValues): WebhookInput {
  return changedFields(inputOf(before), inputOf(after));
}

export function inputOf(values: FormValues): WebhookInput {
  return {
    name: values.name.trim(),
    mode: values.mode,
    active: values.active,
    filters: values.filters,
    conditions: parseConditions(values.conditions) ?? null,
    signatures: values.signatures,
    ...(values.mode === "push" ? requestSettings(values) : {}),
  };
}

/** The parsed conditions; null for none, undefined if not a JSON object. */
export function parseConditions(text: string): Record<string, unknown> | null | undefined {
  if (text.trim() === "") {
    return null;
  }
  try {
    const parsed: unknown = JSON.parse(text);
    const isObject = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
    return isObject ? (parsed as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Settings of push webhooks; a pull webhook has none of them. */
function requestSettings(values: FormValues): WebhookInput {
  return {
    url: textOrNull(values.url),
    headers: values.headers.map(({ name, value }) => ({ name: name.trim(), value })),
    ...optionsOf(values),
    retrySchedule: values.retries === "platform" ? null : (durationsOf(values.schedule) ?? []),
    headerPresets: values.headerPresets,
    oauth2: values.hasOauth2
      ? {
          ...values.oauth2,
          tokenUrl: values.oauth2.tokenUrl.trim(),
          scope: textOrNull(values.oauth2.scope),
          audience: textOrNull(values.oauth2.audience),
        }
      : null,
    clientCertificate: values.hasCertificate
      ? { ...values.certificate, ca: textOrNull(values.certificate.ca) }
      : null,
  };
}

function textOrNull(text: string): string | null {
  return text.trim() === "" ? null : text.trim();
}

/** The sections of settings that most webhooks do not use. */
export const moreParts = ["pace", "schedule", "sign", "oauth2", "certificate"] as const;

export type MorePart = (typeof moreParts)[number];

/** The section of a field of the form; undefined if the field is always visible. */
export function partOf(field: string): MorePart | undefined {
  if (isOption(field)) {
    return "pace";
  }
  if (["signatures", "headerPresets"].includes(field)) {
    return "sign";
  }
  const name = field in switches ? switches[field as keyof typeof switches] : field;
  return moreParts.find((part) => name === part || name.startsWith(`${part}.`));
}
