/** Maps API fields to form fields, where the names differ. */
const places: readonly (readonly [RegExp, string])[] = [
  [/^filters\b.*$/u, "filters"],
  [/^conditions\b.*$/u, "conditions"],
  [/^headers\[(\d+)\]\.(name|value)$/u, "headers.$1.$2"],
  [/^headers\[(\d+)\]$/u, "headers.$1.name"],
  [/^retrySchedule\b.*$/u, "schedule"],
  [/^signatures\b.*$/u, "signatures"],
  [/^headerPresets\b.*$/u, "headerPresets"],
  [/^oauth2$/u, "oauth2.clientSecret"],
  [/^clientCertificate$/u, "certificate.key"],
  [/^clientCertificate\.(\w+)$/u, "certificate.$1"],
];

/** The switches of sections whose fields are hidden while the switch is off. */
export const switches = { hasOauth2: "oauth2", hasCertificate: "certificate" } as const;

type Switches = Readonly<Record<keyof typeof switches, boolean>>;

/** The form field for an error of the API: the switch if the field is hidden. Pure. */
export function formFieldOf(field: string, values: Switches): string {
  const place = places.find(([pattern]) => pattern.test(field));
  const name = place === undefined ? field : field.replace(place[0], place[1]);
  const [owner] = Object.entries(switches).find(([, part]) => name.startsWith(`${part}.`)) ?? [];
  return owner === undefined || values[owner as keyof Switches] ? name : owner;
}

/** The reason with a text of its own: only a renamed header has no value to keep. Pure. */
export function reasonOf({ field, reason }: Readonly<{ field: string; reason: string }>): string {
  return reason === "masked" && /^headers\[\d+\]\.value$/u.test(field) ? "renamed" : reason;
}
