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
