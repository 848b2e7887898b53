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
