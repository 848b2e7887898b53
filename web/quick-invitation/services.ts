/** Which service the form begins with. Pure. */
export type Service = Readonly<{
  id: number;
  service_key: string;
  name: string;
  kind: "ticket" | "conference";
}>;

export type Preselection = Readonly<{
  service: Service | undefined;
  /** Whether the address named a service that there is not. */
  isUnknown: boolean;
}>;

/**
 * The service of the address, if it is one; nothing where it is none; else the one that was used
 * last here; else the only one that there is.
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
 * Whether the service stays as the form begins. Where it begins with none, also because the address
 * names one that there is not, there is nothing to keep: locked, the form could never be sent.
 */
export function isKept({ service }: Preselection, isReadOnly: boolean): boolean {
  return isReadOnly && service !== undefined;
}
