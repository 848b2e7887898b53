/** Which filters of a webhook let an event through. Pure. */

type Told = Readonly<{ object: string; event: string | null; event_type: string | null }>;

/** Events of the platform's own work have to be named. */
const operational = ["subscription", "delivery"];

const fits = (part: string | undefined, value: string): boolean =>
  part === undefined || part === "*" || part === value;

const lets = (filter: string, { object, event, event_type: type }: Told): boolean => {
  const [, kind = "", action, wanted] = /^([^.]+)(?:\.([^:]+))?(?::(.+))?$/u.exec(filter) ?? [];
  if (kind === "*" && operational.includes(object)) {
    return false;
  }
  return fits(kind, object) && fits(action, event ?? "") && fits(wanted, type ?? "");
};

export const lettingThrough = (filters: readonly string[], event: Told): string[] =>
  filters.filter((filter) => lets(filter, event));
