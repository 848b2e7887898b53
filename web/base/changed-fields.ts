/** Compares bodies of requests. Pure. */

/** The fields whose values differ. */
export function differing<T extends object>(before: T, after: T): (keyof T)[] {
  return (Object.keys(after) as (keyof T)[]).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
}

/** Changed fields only, so that concurrent changes of others are kept. */
export function changedFields<T extends object>(before: T, after: T): Partial<T> {
  return Object.fromEntries(
    differing(before, after).map((field) => [field, after[field]]),
  ) as Partial<T>;
}
