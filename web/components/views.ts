/** Filters of a list under a name, kept in this browser. Pure. */

export type ViewSearch = Readonly<Record<string, string | undefined>>;

export type View = Readonly<{ name: string; search: ViewSearch }>;

const mostViews = 20;

/** Whether both filter by the same. */
export function isSameSearch(one: ViewSearch, other: ViewSearch): boolean {
  return JSON.stringify(setOf(one)) === JSON.stringify(setOf(other));
}

function setOf(search: ViewSearch): [string, string][] {
  return Object.entries(search)
    .flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** With one more, which takes the place of the one with its name; the oldest goes where there are too many. */
export function addView(views: readonly View[], view: View): View[] {
  return [...views.filter(({ name }) => name !== view.name), view].slice(-mostViews);
}

/** What is kept may be anybody's: whatever is no view is left out. */
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
