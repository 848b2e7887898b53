/** The headers of requests to receivers: reserved names, signature presets, masking. */

/** Placeholder for a stored secret that is never shown. No valid header value equals it. */
export const maskedValue = "••••";

/**
 * Signatures in the format of other platforms, sent in addition to the standard one. To add a
 * preset, add a row; a new format also needs a function in `pipeline/delivery/request.ts`.
 */
type SignaturePreset = Readonly<{
  platform: string;
  /** Reserved while the preset is on. Shown in the log, because a signature is not a secret. */
  header: string;
  format: SignatureFormat;
}>;

/**
 * `hex`: `sha256=…` of the body, with the newest secret. `timestamped`: `t=…,v1=…` of time and
 * body, one `v1` per secret.
 */
export type SignatureFormat = "hex" | "timestamped";

export const signaturePresets = {
  github: { platform: "GitHub", header: "X-Hub-Signature-256", format: "hex" },
  stripe: { platform: "Stripe", header: "Stripe-Signature", format: "timestamped" },
} as const satisfies Record<string, SignaturePreset>;

export type HeaderPreset = keyof typeof signaturePresets;

export const headerPresets = Object.keys(signaturePresets) as readonly HeaderPreset[];

/**
 * Header names of the request, its connection and its signature, and those that proxies, gateways
 * and frameworks trust: if forged, they could change the client identity, the routing or the
 * parsing.
 */
const reservedNames = new Set([
  // The request, its connection (RFC 9110, 7.6.1) and how its body is read.
  ...["host", "user-agent", "cookie", "expect", "accept-encoding"],
  ...["connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade"],
  ...["http2-settings", "via", "forwarded", "max-forwards", "cdn-loop", "early-data"],
  // Method and path overrides.
  ...["x-http-method-override", "x-http-method", "x-method-override", "x-rewrite-url"],
  // Client identity.
  ...["x-real-ip", "x-client-ip", "x-cluster-client-ip", "true-client-ip", "cf-connecting-ip"],
  "--proto--", // __proto__, normalised
]);

/** `x-forwarded` is also a header by itself. */
const reservedPrefixes = ["content-", "webhook-", "proxy-", "x-forwarded", "x-original-"];

/** Whether a subscriber may not set a header of this name. */
export function isReservedHeader(name: string): boolean {
  const normalised = normalise(name);
  return (
    reservedNames.has(normalised) ||
    reservedPrefixes.some((prefix) => normalised.startsWith(prefix))
  );
}

/** CGI, WSGI and PHP do not distinguish `_` and `-`. */
function normalise(name: string): string {
  return name.toLowerCase().replaceAll("_", "-");
}

/** Request headers as the log shows them: custom headers are masked. */
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

/** Whether the platform generates this header, so that its value is not a customer's secret. */
export function isGeneratedHeader(name: string): boolean {
  const lowerName = name.toLowerCase();
  return (
    unmaskedNames.has(lowerName) ||
    presetNames.has(lowerName) ||
    /^(?:content|webhook)-./u.test(lowerName)
  );
}

/** Response headers as the log shows them. */
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

/** The headers that settings of a subscription generate, each with the name of its setting. */
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
