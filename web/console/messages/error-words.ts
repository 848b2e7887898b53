/** Why a message was not sent, as the service notes it → a key of the texts. Pure. */

const known = [
  ...(["opted_out", "quota_reached", "invalid_recipient"] as const),
  ...(["timeout", "unreachable", "smtp_auth"] as const),
] as const;

export type ErrorKey = (typeof known)[number] | "provider" | "other";

export function errorKey(error: string): Readonly<{ key: ErrorKey; code: string }> {
  const plain = known.find((one) => one === error);
  if (plain !== undefined) {
    return { key: plain, code: error };
  }
  const number = /^(?:http|smtp|twilio)_(.+)$/u.exec(error)?.[1];
  return number === undefined ? { key: "other", code: error } : { key: "provider", code: number };
}
