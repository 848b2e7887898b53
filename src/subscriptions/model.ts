import { parseFilter } from "../contracts/filters.ts";
import { invalidParameter, missingParameter } from "../contracts/problems.ts";
import { presetHeaders } from "../contracts/request-headers.ts";
import {
  headerPresets,
  signatureSchemes,
  type ClientCertificate,
  type CustomHeader,
  type HeaderPreset,
  type OAuth2Client,
  type SignatureScheme,
  type SigningKeyPair,
  type SigningSecret,
  type SubscriptionMode,
} from "../contracts/subscriptions.ts";
import type { CertificateInput } from "./settings/client-certificate.ts";
import { checkMode, checkRetrySchedule } from "./settings/rules.ts";
import type { OAuth2Input } from "./settings/oauth2.ts";

export const maxSubscriptions = 20;

export const maxFilters = 100;

/** What can be configured of a subscription. */
export type SubscriptionSettings = {
  name: string;
  mode: SubscriptionMode;
  url: string | null;
  isActive: boolean;
  isOrdered: boolean;
  maxInFlight: number | null;
  maxPerSecond: number | null;
  /** Seconds before the second attempt, the third … Null: the platform's. Empty: one attempt. */
  retrySchedule: readonly number[] | null;
  filters: readonly string[];
  /** A query on the payload, as JSON text. Null: every payload. */
  conditions: string | null;
  headers: readonly CustomHeader[];
  signatures: readonly SignatureScheme[];
  headerPresets: readonly HeaderPreset[];
  oauth2: OAuth2Client | null;
  clientCertificate: ClientCertificate | null;
};

/** What a subscription signs with: what signs for good first, then what ends at its `until`. */
export type SigningKeys = {
  secrets: readonly SigningSecret[];
  keys: readonly SigningKeyPair[];
};

/** What the deliveries of a subscription taught us so far. */
export type ReceiverHealth = {
  windowSize: number;
  failuresInRow: number;
  throttledUntil: Date | null;
  probeAt: Date | null;
  warnedAt: Date | null;
  lastSequence: number;
  pulledTo: number;
  pulledAt: Date | null;
  /** How the newest failure ended, until there is a success. */
  lastFailure: { status: number | null; failure: string | null };
};

/** A subscription with its secrets in the clear: keep it short, never log it. */
export type Subscription = SubscriptionSettings &
  SigningKeys & {
    id: number;
    enterpriseId: number;
    disabledReason: string | null;
    revision: number;
    created: Date;
    modified: Date;
    lastSuccess: Date | null;
    lastFailure: Date | null;
    failingSince: Date | null;
    health: ReceiverHealth;
  };

/** A subscription to be shown: what of it counts depends on when somebody looks. */
export type SubscriptionSnapshot = Subscription & { asOf: Date };

/** A subscription as a client gives it: what is left out stays as it is, or gets its default. */
export type SubscriptionInput = {
  name?: string;
  mode?: SubscriptionMode;
  url?: string | null;
  active?: boolean;
  ordered?: boolean;
  maxInFlight?: number | null;
  maxPerSecond?: number | null;
  retrySchedule?: number[] | null;
  filters?: string[];
  conditions?: Record<string, unknown> | null;
  headers?: CustomHeader[];
  signatures?: SignatureScheme[];
  headerPresets?: HeaderPreset[];
  oauth2?: OAuth2Input | null;
  clientCertificate?: CertificateInput | null;
};

export const defaultSettings: SubscriptionSettings = {
  name: "",
  mode: "push",
  url: null,
  isActive: false,
  isOrdered: false,
  maxInFlight: null,
  maxPerSecond: null,
  retrySchedule: null,
  filters: [],
  conditions: null,
  headers: [],
  signatures: ["v1"],
  headerPresets: [],
  oauth2: null,
  clientCertificate: null,
};

/** What is stored in another form than it is given in, or only after a check of its own. */
export type CheckedSettings = Pick<
  SubscriptionSettings,
  "url" | "headers" | "conditions" | "oauth2" | "clientCertificate"
>;

/** What a change means for deliveries that already exist. */
export type ActivationChange = "on" | "off" | "moved" | "none";

/** Where requests go and by what they get in: with another of these it is another receiver. */
type EndpointSettings = Pick<
  SubscriptionSettings,
  "isActive" | "url" | "headers" | "oauth2" | "clientCertificate"
>;

/** Throws the problem of the first text that is no filter. */
export function checkFilters(filters: readonly string[]): void {
  filters.forEach((text, index) => {
    if (parseFilter(text) === undefined) {
      const detail = `The filter "${text}" names no event. See GET /api/webhooks/event-types.`;
      throw invalidParameter(`filters[${index}]`, "unknown", detail);
    }
  });
}

/** The settings after a change. What is in `checked` comes already in the form to store. */
export function applyInput(
  before: SubscriptionSettings,
  input: SubscriptionInput,
  checked: CheckedSettings,
): SubscriptionSettings {
  checkRetrySchedule(input.retrySchedule);
  const after: SubscriptionSettings = {
    ...before,
    ...definedFields<SubscriptionSettings>({
      name: input.name,
      mode: input.mode,
      isActive: input.active,
      isOrdered: input.ordered,
      maxInFlight: input.maxInFlight,
      maxPerSecond: input.maxPerSecond,
      retrySchedule: input.retrySchedule,
      filters: input.filters,
      signatures: inOrder(signatureSchemes, input.signatures),
      headerPresets: inOrder(headerPresets, input.headerPresets),
    }),
    ...checked,
  };
  checkTogether(after);
  return after;
}

type OptionalFields<T> = { [K in keyof T]?: T[K] | undefined };

function definedFields<T extends object>(parts: OptionalFields<T>): Partial<T> {
  return Object.fromEntries(
    Object.entries(parts).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}

/** The same choice is always stored in the same order. */
function inOrder<T>(all: readonly T[], chosen: readonly T[] | undefined): T[] | undefined {
  return chosen === undefined ? undefined : all.filter((one) => chosen.includes(one));
}

/** Throws the problem of settings that cannot be together. */
function checkTogether(settings: SubscriptionSettings): void {
  checkMode(settings);
  checkGeneratedHeaders(settings);
  if (settings.isActive && settings.mode === "push" && settings.url === null) {
    throw missingParameter("url", "An active webhook needs a url.");
  }
}

function checkGeneratedHeaders(settings: SubscriptionSettings): void {
  const own = new Set(settings.headers.map(({ name }) => name.toLowerCase()));
  const double = generatedHeaders(settings).find(({ name }) => own.has(name.toLowerCase()));
  if (double !== undefined) {
    const detail = `${double.setting} makes the header ${double.name}: it cannot stand in headers too.`;
    throw invalidParameter("headers", "refused", detail);
  }
}

/** Headers that a setting makes itself. Two of one name would leave it open which one counts. */
function generatedHeaders(settings: SubscriptionSettings): { setting: string; name: string }[] {
  return [
    ...(settings.oauth2 === null ? [] : [{ setting: "oauth2", name: "Authorization" }]),
    ...settings.headerPresets.map((preset) => ({
      setting: "headerPresets",
      name: presetHeaders[preset].header,
    })),
  ];
}

export function activationChangeOf(
  before: EndpointSettings,
  after: EndpointSettings,
): ActivationChange {
  if (before.isActive !== after.isActive) {
    return after.isActive ? "on" : "off";
  }
  return after.isActive && endpointFingerprint(before) !== endpointFingerprint(after)
    ? "moved"
    : "none";
}

function endpointFingerprint({
  url,
  headers,
  oauth2,
  clientCertificate,
}: EndpointSettings): string {
  return JSON.stringify([url, headers, oauth2, clientCertificate]);
}
