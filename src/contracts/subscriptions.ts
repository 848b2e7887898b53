/** A custom header. Encrypted at rest; only the receiver gets the plain value. */
export type CustomHeader = { name: string; value: string };

/** What precedes the base64 of secrets and keys in their text form (Standard Webhooks). */
export const signingPrefixes = {
  secret: "whsec_",
  privateKey: "whsk_",
  publicKey: "whpk_",
} as const;

/** A signing secret (`whsec_…`). `until` (ISO 8601) is set while a rotated one still signs. */
export type SigningSecret = { secret: string; until: string | null };

/**
 * How the receiver gets its events: by requests to its URL (push), or by polling the API (pull),
 * for systems that no request can reach. Immutable.
 */
export const subscriptionModes = ["push", "pull"] as const;

export type SubscriptionMode = (typeof subscriptionModes)[number];

/** Schemes of `webhook-signature` (Standard Webhooks): HMAC-SHA256, and ed25519. */
export const signatureSchemes = ["v1", "v1a"] as const;

export type SignatureScheme = (typeof signatureSchemes)[number];

/**
 * Keys of `v1a`: `whsk_` and `whpk_`, each followed by the base64 of the 32-byte ed25519 seed or
 * public key. `until` (ISO 8601) is set while a rotated one still signs.
 */
export type SigningKeyPair = { privateKey: string; publicKey: string; until: string | null };

/** Client credentials (RFC 6749, 4.4) for the access token of a receiver. */
export type OAuth2Client = {
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  scope: string | null;
  audience: string | null;
  /** Where the credentials are sent: in the `Authorization` header or in the form. */
  authentication: "basic" | "form";
};

/** PEM texts for mutual TLS. `ca`, if set, replaces the system's trust store. */
export type ClientCertificate = { certificate: string; key: string; ca: string | null };

/** States of a receiver's health. */
export const healthStates = ["ok", "failing", "throttled", "open", "off", "pull"] as const;

export type HealthState = (typeof healthStates)[number];

/** What the health is derived from, at the time `asOf`. */
export type HealthInputs = Readonly<{
  mode: SubscriptionMode;
  isActive: boolean;
  maxInFlight: number | null;
  failingSince: Date | null;
  asOf: Date;
  health: Readonly<{ windowSize: number; throttledUntil: Date | null; probeAt: Date | null }>;
}>;

export type DerivedHealth = {
  state: HealthState;
  /** Requests that may be in flight now. */
  window: number;
  /** Null unless it is in the future. */
  throttledUntil: Date | null;
  /** Null unless the circuit is open. */
  nextProbe: Date | null;
};

/**
 * The origin of a receiver's URL. Path and query are not shown, because they often contain a key.
 */
export function originOf(url: string | null): string | null {
  return url !== null && URL.canParse(url) ? new URL(url).origin : null;
}

/**
 * Additional authenticated data: binds an encrypted value to its row, so that it cannot be moved to
 * another one.
 */
export function headersAad(enterpriseId: number, subscriptionId: number): string {
  return `subscriptions/${enterpriseId}/${subscriptionId}/headers`;
}

export function secretsAad(enterpriseId: number, subscriptionId: number): string {
  return `subscriptions/${enterpriseId}/${subscriptionId}/secrets`;
}

export function keysAad(enterpriseId: number, subscriptionId: number): string {
  return `subscriptions/${enterpriseId}/${subscriptionId}/keys`;
}

export function oauth2Aad(enterpriseId: number, subscriptionId: number): string {
  return `subscriptions/${enterpriseId}/${subscriptionId}/oauth2`;
}

export function certificateAad(enterpriseId: number, subscriptionId: number): string {
  return `subscriptions/${enterpriseId}/${subscriptionId}/certificate`;
}

export function receiverHealthOf(inputs: HealthInputs): DerivedHealth {
  const { health, asOf } = inputs;
  const state = stateOf(inputs);
  return {
    state,
    window: windowOf(state, inputs),
    throttledUntil: isThrottled(health, asOf) ? health.throttledUntil : null,
    nextProbe: state === "open" ? health.probeAt : null,
  };
}

/** The first state that applies, ordered by how much it stops. */
function stateOf({ mode, isActive, failingSince, health, asOf }: HealthInputs): HealthState {
  const states: readonly [HealthState, boolean][] = [
    ["off", !isActive],
    ["pull", mode === "pull"],
    ["throttled", isThrottled(health, asOf)],
    ["open", health.probeAt !== null],
    ["failing", failingSince !== null],
  ];
  return states.find(([, applies]) => applies)?.[0] ?? "ok";
}

function isThrottled({ throttledUntil }: HealthInputs["health"], now: Date): boolean {
  return throttledUntil !== null && throttledUntil > now;
}

/** 0 in a state that stops requests. */
function windowOf(state: HealthState, { health, maxInFlight }: HealthInputs): number {
  const isClosed = state === "off" || state === "pull" || state === "open" || state === "throttled";
  const size = Math.floor(health.windowSize);
  return isClosed ? 0 : Math.min(size, maxInFlight ?? size);
}
