/** A header the subscriber asked for. Stored sealed; its value never leaves in clear but to the receiver. */
export type CustomHeader = { name: string; value: string };

/** A signing secret (`whsec_…`). `until` (ISO 8601) is set while a rotated one still signs. */
export type SigningSecret = { secret: string; until: string | null };

/** Binds a sealed value to its row: moved to another row it does not open. */
export const headersAad = (enterpriseId: number, subscriptionId: number): string =>
  `subscriptions/${enterpriseId}/${subscriptionId}/headers`;
export const secretsAad = (enterpriseId: number, subscriptionId: number): string =>
  `subscriptions/${enterpriseId}/${subscriptionId}/secrets`;
