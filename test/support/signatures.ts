import { Webhook } from "standardwebhooks";
import type { IncomingHttpHeaders } from "node:http";

type Signed = Readonly<{ headers: IncomingHttpHeaders; text: string }>;

function header(request: Signed, name: string): string {
  const value = request.headers[name];
  return typeof value === "string" ? value : "";
}

/**
 * Whether the independent `standardwebhooks` package accepts the request, like a customer's code: a
 * signature over id, timestamp and the exact body, and a timestamp within the last minutes.
 */
export function isSignedWith(secret: string, request: Signed): boolean {
  try {
    new Webhook(secret).verify(
      request.text,
      {
        "webhook-id": header(request, "webhook-id"),
        "webhook-timestamp": header(request, "webhook-timestamp"),
        "webhook-signature": header(request, "webhook-signature"),
      },
      { jsonParse: false },
    );
    return true;
  } catch {
    return false;
  }
}

/** The same without the age check, for tests with another date. */
export function isSignedAtAnyTime(secret: string, request: Signed): boolean {
  const seconds = Number(header(request, "webhook-timestamp"));
  const expected = new Webhook(secret).sign(
    header(request, "webhook-id"),
    new Date(seconds * 1000),
    request.text,
  );
  return header(request, "webhook-signature").split(" ").includes(expected);
}
