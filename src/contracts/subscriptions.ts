/** A header the subscriber asked for. Stored sealed; its value never leaves in clear but to the receiver. */
export type CustomHeader = { name: string; value: string };

/** A signing secret (`whsec_…`). `until` (ISO 8601) is set while a rotated one still signs. */
export type SigningSecret = { secret: string; until: string | null };

/**
 * How a subscription's receiver gets its events: by requests to its URL, or by asking for them,
 * where no request could reach it. Chosen when it is made, and never changed.
 */
export const subscriptionModes = ["push", "pull"] as const;

export type SubscriptionMode = (typeof subscriptionModes)[number];

/** Schemes of `webhook-signature` (Standard Webhooks): HMAC-SHA256, and ed25519. */
export const signatureSchemes = ["v1", "v1a"] as const;

export type SignatureScheme = (typeof signatureSchemes)[number];

/**
 * Keys of `v1a`: `whsk_` and `whpk_`, each followed by base64 of the 32 bytes of ed25519's seed or
 * public key. `until` (ISO 8601) is set while a rotated one still signs.
 */
export type SigningKeyPair = { privateKey: string; publicKey: string; until: string | null };

/** Client credentials (RFC 6749, 4.4) with which a receiver's token is got. */
export type OAuth2Client = {
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  scope: string | null;
  audience: string | null;
  /** Where the client's credentials stand: the header `Authorization`, or the form. */
  authentication: "basic" | "form";
};

/** For mutual TLS: PEM texts. `ca` is trusted instead of the system's, where it is given. */
export type ClientCertificate = { certificate: string; key: string; ca: string | null };

/** The health of a subscription's receiver, derived from what its deliveries observed. Pure. */
export const healthStates = ["ok", "failing", "throttled", "open", "off", "pull"] as const;

export type HealthState = (typeof healthStates)[number];

/** What a state is derived from, at the time `asOf`. */
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

/** The part of a receiver's URL that may be shown: path and query often contain a key. */
export function originOf(url: string | null): string | null {
  return url !== null && URL.canParse(url) ? new URL(url).origin : null;
}

/** Binds a sealed value to its row: moved to another row it does not open. */
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

/** 0 in a state that stops requests, whatever size the window had. */
function windowOf(state: HealthState, { health, maxInFlight }: HealthInputs): number {
  const isClosed = state === "off" || state === "pull" || state === "open" || state === "throttled";
  const size = Math.floor(health.windowSize);
  return isClosed ? 0 : Math.min(size, maxInFlight ?? size);
}
