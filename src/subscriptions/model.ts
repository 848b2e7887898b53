import { checkAll, invalidParameter, missingParameter } from "../contracts/problems.ts";
import { generatedHeaders } from "../contracts/request-headers.ts";
import type { SigningKeyPair, SigningSecret } from "../contracts/subscriptions.ts";
import { checkConditions } from "../pipeline/ledger/conditions.ts";
import { checkHeaderForms } from "./custom-headers.ts";
import { certificateChecks } from "./settings/client-certificate.ts";
import {
  checkedUrl,
  checkFilters,
  checkRetrySchedule,
  type CheckUrl,
  hasOtherOrigin,
} from "./settings/setting.ts";
import {
  sealedSettings,
  settings,
  type SubscriptionChangeInput,
  type SubscriptionInput,
  type SubscriptionSettingName,
  type SubscriptionSettings,
} from "./settings/table.ts";

export const maxSubscriptions = 20;

/** Signing secrets and keys: those without an end first, then those with `until`. */
export type SigningKeys = {
  secrets: readonly SigningSecret[];
  keys: readonly SigningKeyPair[];
};

/** Encrypted values, by their names in the API. */
export const encryptedFields = [...sealedSettings, "secrets", "publicKeys"] as const;

export type EncryptedField = SubscriptionSettingName | "secrets" | "publicKeys";

/** What past deliveries showed about the receiver. */
export type ReceiverHealth = {
  windowSize: number;
  failuresInRow: number;
  throttledUntil: Date | null;
  probeAt: Date | null;
  warnedAt: Date | null;
  lastSequence: number;
  pulledTo: number;
  pulledAt: Date | null;
  /** The newest failure; reset by a success. */
  lastFailure: { status: number | null; failure: string | null };
};

/** A subscription with its secrets in clear: drop it soon, never log it. */
export type Subscription = SubscriptionSettings &
  SigningKeys & {
    id: number;
    enterpriseId: number;
    /** What the platform's key does not decrypt, which has its default value here. */
    undecryptable: readonly EncryptedField[];
    disabledReason: string | null;
    revision: number;
    created: Date;
    modified: Date;
    lastSuccess: Date | null;
    lastFailure: Date | null;
    failingSince: Date | null;
    health: ReceiverHealth;
  };

/** A subscription at a point in time, on which its valid keys and its health depend. */
export type SubscriptionSnapshot = Subscription & { asOf: Date };

/** What a change means for deliveries that already exist. */
export type ActivationChange = "on" | "off" | "moved" | "none";

/** Address and credentials. A change of one of them counts as a new receiver. */
type EndpointSettings = Pick<
  SubscriptionSettings,
  "isActive" | "url" | "headers" | "oauth2" | "clientCertificate"
>;

/** Applies a change to settings. Addresses in `input` are already checked and normalised. */
export function applyInput(
  before: SubscriptionSettings,
  input: SubscriptionInput,
  now: Date,
): SubscriptionSettings {
  const hasMoved = input.url !== undefined && hasOtherOrigin(input.url, before.url);
  const after = Object.fromEntries(
    settings.map((row) => {
      const stored = before[row.property];
      const value = input[row.name];
      const merged = row.merge?.(value, { stored, hasMoved, now });
      return [row.property, row.merge ? merged : value === undefined ? stored : value];
    }),
  ) as SubscriptionSettings;
  checkTogether(after);
  return after;
}

/**
 * Rejects a change of the origin that keeps values which cannot be decrypted: like readable ones,
 * they must not be sent there, should the key come back.
 */
export function checkKeptValues(
  before: Pick<Subscription, "url" | "undecryptable">,
  input: SubscriptionInput,
): void {
  const kept = settings.find(
    ({ name }) => before.undecryptable.includes(name) && input[name] === undefined,
  );
  if (kept !== undefined && input.url !== undefined && hasOtherOrigin(input.url, before.url)) {
    const detail = `The new url has another origin: give the values of ${kept.name} again.`;
    throw invalidParameter(kept.name, "masked", detail);
  }
}

/** The input of a change, with the defaults of the settings that it removes. */
export function withRemoved({ remove = [], ...input }: SubscriptionChangeInput): SubscriptionInput {
  const both = remove.find((name) => input[name] !== undefined);
  if (both !== undefined) {
    throw invalidParameter("remove", "exclusive", `Either set ${both}, or remove it.`);
  }
  const removed = settings.filter(({ name }) => remove.includes(name));
  return {
    ...input,
    ...Object.fromEntries(removed.map(({ name, defaultValue }) => [name, defaultValue])),
  };
}

/** Rejects settings that exclude each other. */
function checkTogether(after: SubscriptionSettings): void {
  checkMode(after);
  checkGeneratedHeaders(after);
  if (after.isActive && after.mode === "push" && after.url === null) {
    throw missingParameter("url", "An active webhook needs a url.");
  }
}

/** Rejects settings of requests on a subscription in pull mode. */
function checkMode(after: SubscriptionSettings): void {
  const set = settings.find(
    ({ isPushOnly, property, defaultValue }) =>
      isPushOnly === true && JSON.stringify(after[property]) !== JSON.stringify(defaultValue),
  );
  if (after.mode === "pull" && set !== undefined) {
    const detail = `A webhook in pull mode sends no requests: ${set.name} cannot be set.`;
    throw invalidParameter(set.name, "pull", detail);
  }
}

/** With two headers of one name it would be undefined which one the receiver reads. */
function checkGeneratedHeaders({ headers, headerPresets, oauth2 }: SubscriptionSettings): void {
  const custom = new Set(headers.map(({ name }) => name.toLowerCase()));
  const generated = generatedHeaders({ presets: headerPresets, hasOAuth2: oauth2 !== null });
  const duplicate = generated.find(({ name }) => custom.has(name.toLowerCase()));
  if (duplicate !== undefined) {
    const { setting, name } = duplicate;
    const detail = `The header ${name} is set by ${setting}: remove it from headers.`;
    throw invalidParameter("headers", "refused", detail);
  }
}

/** `isRepaired`: a value that cannot be decrypted is replaced or removed. */
export function activationChangeOf(
  before: EndpointSettings,
  after: EndpointSettings,
  isRepaired = false,
): ActivationChange {
  if (before.isActive !== after.isActive) {
    return after.isActive ? "on" : "off";
  }
  const hasMoved = isRepaired || endpointFingerprint(before) !== endpointFingerprint(after);
  return after.isActive && hasMoved ? "moved" : "none";
}

function endpointFingerprint({
  url,
  headers,
  oauth2,
  clientCertificate,
}: EndpointSettings): string {
  return JSON.stringify([url, headers, oauth2, clientCertificate]);
}

/** An input with checked and normalised addresses. */
export type CheckedInput = SubscriptionInput & { readonly isChecked: true };

const tokenUrlField = "oauth2.tokenUrl";

/**
 * Checks each setting by itself, without the stored ones, and throws one problem for all. Needs DNS,
 * so it runs before the transaction.
 */
export async function checkInput(
  checkUrl: CheckUrl,
  seen: Pick<SubscriptionSettings, "url" | "oauth2" | "isActive">,
  input: SubscriptionInput,
): Promise<CheckedInput> {
  const { oauth2 } = input;
  let { url } = input;
  let tokenUrl = oauth2?.tokenUrl;
  const isSwitchedOn = input.active === true && !seen.isActive;
  await checkAll(
    () => checkFilters(input.filters ?? []),
    () => checkHeaderForms(input.headers ?? []),
    () => checkRetrySchedule(input.retrySchedule),
    () => (input.conditions ? checkConditions(input.conditions) : undefined),
    async () => {
      url = typeof url === "string" ? await checkedUrl(url, checkUrl) : url;
    },
    async () => {
      tokenUrl =
        tokenUrl === undefined ? undefined : await checkedUrl(tokenUrl, checkUrl, tokenUrlField);
    },
    ...certificateChecks(input.clientCertificate),
    () => (isSwitchedOn ? checkStored(checkUrl, seen, input) : undefined),
  );
  return {
    ...input,
    ...(url === undefined ? {} : { url }),
    ...(oauth2 && tokenUrl !== undefined ? { oauth2: { ...oauth2, tokenUrl } } : {}),
    isChecked: true,
  };
}

/** Checks stored addresses again when a subscription is switched on: DNS may have changed. */
async function checkStored(
  checkUrl: CheckUrl,
  seen: Pick<SubscriptionSettings, "url" | "oauth2">,
  input: SubscriptionInput,
): Promise<void> {
  if (input.url === undefined && seen.url !== null) {
    await checkedUrl(seen.url, checkUrl);
  }
  if (input.oauth2 === undefined && seen.oauth2 !== null) {
    await checkedUrl(seen.oauth2.tokenUrl, checkUrl, tokenUrlField);
  }
}
