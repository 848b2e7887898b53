/** Saved views (named filters) of a list, kept in this browser. Pure. */

export type ViewSearch = Readonly<Record<string, string | undefined>>;

export type View = Readonly<{ name: string; search: ViewSearch }>;

const mostViews = 20;

/** Whether both have the same filters. */
export function isSameSearch(one: ViewSearch, other: ViewSearch): boolean {
  return JSON.stringify(setOf(one)) === JSON.stringify(setOf(other));
}

function setOf(search: ViewSearch): [string, string][] {
  return Object.entries(search)
    .flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** Adds a view and replaces the one with the same name; drops the oldest ones beyond the limit. */
export function addView(views: readonly View[], view: View): View[] {
  return [...views.filter(({ name }) => name !== view.name), view].slice(-mostViews);
}

/** Storage is untrusted: drops invalid entries. */
export function readViews(text: string | undefined): View[] {
  try {
    const value: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(value) ? value.filter(isView).slice(-mostViews) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is View {
  const { name, search } = (value ?? {}) as { name?: unknown; search?: unknown };
  return (
    typeof name === "string" &&
    typeof search === "object" &&
    search !== null &&
    Object.values(search).every((text) => typeof text === "string")
  );
}
