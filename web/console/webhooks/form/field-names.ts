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

/** The form field for an error of the API. Pure. */
export function formFieldOf(field: string): string {
  const place = places.find(([pattern]) => pattern.test(field));
  return place === undefined ? field : field.replace(place[0], place[1]);
}
