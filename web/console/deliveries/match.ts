/** Which filters of a webhook match an event. Pure. */

type EventKind = Readonly<{ object: string; event: string | null; event_type: string | null }>;

export function matchingFilters(filters: readonly string[], event: EventKind): string[] {
  return filters.filter((filter) => lets(filter, event));
}

/** Operational events match only by name. */
const operational = ["subscription", "delivery"];

function lets(filter: string, { object, event, event_type: type }: EventKind): boolean {
  const [, kind = "", action, typePart] = /^([^.]+)(?:\.([^:]+))?(?::(.+))?$/u.exec(filter) ?? [];
  if (kind === "*" && operational.includes(object)) {
    return false;
  }
  return fits(kind, object) && fits(action, event ?? "") && fits(typePart, type ?? "");
}

function fits(part: string | undefined, value: string): boolean {
  return part === undefined || part === "*" || part === value;
}
