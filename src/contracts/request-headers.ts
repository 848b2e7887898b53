/** Which headers a request to a receiver has of its own, and which a subscriber may not set. */

/** What stands for a value that is stored and never shown. No header value can be equal to it. */
export const maskedValue = "••••";

/**
 * Signatures in the form of other platforms, sent beside the standard one. A preset is a row here;
 * one with a new format is also a function in `pipeline/delivery/request.ts`.
 */
type SignaturePreset = Readonly<{
  platform: string;
  /** Reserved while the preset is on. Shown in the log, because it is a signature and no secret. */
  header: string;
  format: SignatureFormat;
}>;

/**
 * `hex`: `sha256=…` of the body, by the newest secret. `timestamped`: `t=…,v1=…` of time and body,
 * one `v1` per secret.
 */
export type SignatureFormat = "hex" | "timestamped";

export const signaturePresets = {
  github: { platform: "GitHub", header: "X-Hub-Signature-256", format: "hex" },
  stripe: { platform: "Stripe", header: "Stripe-Signature", format: "timestamped" },
} as const satisfies Record<string, SignaturePreset>;

export type HeaderPreset = keyof typeof signaturePresets;

export const headerPresets = Object.keys(signaturePresets) as readonly HeaderPreset[];

/**
 * Names that belong to the request itself, to its connection or signature, and those that a proxy,
 * gateway or framework at the receiver takes as said by a proxy: forged, they change who seems to
 * call, where the request goes or how it is read.
 */
const reservedNames = new Set([
  // The request, its connection (RFC 9110, 7.6.1) and how its body is read.
  ...["host", "user-agent", "cookie", "expect", "accept-encoding"],
  ...["connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade"],
  ...["http2-settings", "via", "forwarded", "max-forwards", "cdn-loop", "early-data"],
  // What replaces the method or the path.
  ...["x-http-method-override", "x-http-method", "x-method-override", "x-rewrite-url"],
  // What names the client.
  ...["x-real-ip", "x-client-ip", "x-cluster-client-ip", "true-client-ip", "cf-connecting-ip"],
  "--proto--", // __proto__, normalised
]);

/** `x-forwarded` is one itself. */
const reservedPrefixes = ["content-", "webhook-", "proxy-", "x-forwarded", "x-original-"];

/** Whether a subscriber may not set a header of this name. */
export function isReservedHeader(name: string): boolean {
  const normalised = normalise(name);
  return (
    reservedNames.has(normalised) ||
    reservedPrefixes.some((prefix) => normalised.startsWith(prefix))
  );
}

/** Gateways hand `_` over as `-`: CGI, WSGI and PHP see one name in both. */
function normalise(name: string): string {
  return name.toLowerCase().replaceAll("_", "-");
}

/** Headers of a request that was sent, as they are shown: the subscriber's own are masked. */
export function maskRequestHeaders(
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      isGeneratedHeader(name) ? value : maskedValue,
    ]),
  );
}

const presetNames = new Set(Object.values(signaturePresets).map(({ header }) => normalise(header)));

const unmaskedNames = new Set(["host", "user-agent", "accept", "accept-encoding", "connection"]);

/** Whether a header is one that we make, so that its value is nobody's secret. */
export function isGeneratedHeader(name: string): boolean {
  const lowerName = name.toLowerCase();
  return (
    unmaskedNames.has(lowerName) ||
    presetNames.has(lowerName) ||
    /^(?:content|webhook)-./u.test(lowerName)
  );
}

/** Headers of a receiver's answer, as they are shown. */
export function maskResponseHeaders(
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      name.toLowerCase() === "set-cookie" ? maskedValue : value,
    ]),
  );
}

/** The headers that settings of a subscription generate, with the setting's name. */
export function generatedHeaders(options: {
  presets: readonly HeaderPreset[];
  hasOAuth2: boolean;
}): { setting: string; name: string }[] {
  return [
    ...(options.hasOAuth2 ? [{ setting: "oauth2", name: "Authorization" }] : []),
    ...options.presets.map((preset) => ({
      setting: "headerPresets",
      name: signaturePresets[preset].header,
    })),
  ];
}
