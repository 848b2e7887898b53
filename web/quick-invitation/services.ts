/** The preselected service. Pure. */
export type Service = Readonly<{
  id: number;
  service_key: string;
  name: string;
  kind: "ticket" | "conference";
}>;

export type Preselection = Readonly<{
  service: Service | undefined;
  /** Whether the URL names an unknown service. */
  isUnknown: boolean;
}>;

/**
 * The service in the URL; none if it is unknown. Without one in the URL: the last used service,
 * else the only one.
 */
export function preselect(
  services: readonly Service[],
  { serviceKey, lastUsed }: Readonly<{ serviceKey: string | undefined; lastUsed: string | null }>,
): Preselection {
  const find = (key: string | null): Service | undefined =>
    services.find(({ service_key: known }) => known === key);
  if (serviceKey !== undefined) {
    const service = find(serviceKey);
    return { service, isUnknown: service === undefined };
  }
  const only = services.length === 1 ? services[0] : undefined;
  return { service: find(lastUsed) ?? only, isUnknown: false };
}

/**
 * Whether the service is read-only. Never without a preselected service, because the form could not
 * be submitted.
 */
export function isKept({ service }: Preselection, isReadOnly: boolean): boolean {
  return isReadOnly && service !== undefined;
}
