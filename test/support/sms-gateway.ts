import { createHmac } from "node:crypto";

/** The signature of the HTTP gateway: HMAC-SHA256 of the raw body, in hex. */
export function signHttp(secret: string, body: string): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}

/** The signature of Twilio: HMAC-SHA1 of the URL and the sorted fields, in base64. */
export function signTwilio(
  authToken: string,
  url: string,
  fields: Readonly<Record<string, string>>,
): string {
  const names = Object.keys(fields).toSorted();
  const signed = url + names.map((name) => name + (fields[name] ?? "")).join("");
  return createHmac("sha1", authToken).update(Buffer.from(signed, "utf8")).digest("base64");
}

export const httpGateway = { token: "gateway-token", secret: "gateway-secret" };

export const twilioAccount = {
  accountSid: `AC${"0123456789abcdef".repeat(2)}`,
  authToken: "twilio-auth-token",
  from: "+15005550006",
};
