/** Which filters of a webhook let an event through. Pure. */

type EventKind = Readonly<{ object: string; event: string | null; event_type: string | null }>;

export function matchingFilters(filters: readonly string[], event: EventKind): string[] {
  return filters.filter((filter) => lets(filter, event));
}

/** Events of the platform's own work have to be named. */
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
