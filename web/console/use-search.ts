import { useNavigate, useSearch } from "@tanstack/react-router";

/** Parses the known names of the query string; others are dropped. */
export function searchOf<Name extends string>(...names: readonly Name[]) {
  return (input: Record<string, unknown>): { [name in Name]?: string } => {
    const search: { [name in Name]?: string } = {};
    for (const name of names) {
      const value = input[name];
      if (typeof value === "string" && value.trim() !== "") {
        search[name] = value;
      }
    }
    return search;
  };
}

type Values = Readonly<Record<string, string | undefined>>;

/**
 * The search parameters with a setter for some of them: an empty string removes one. A filter
 * change resets the page.
 */
export function useSearchValues<Search extends Values>(): [
  Search,
  (change: Partial<Search>) => void,
] {
  const present = useSearch({ strict: false });
  const search = present as Values as Search;
  const navigate = useNavigate();
  const set = (change: Partial<Search>): void => {
    const opens = "open" in change || "page" in change;
    const next: Values = { ...search, ...(opens ? {} : { page: undefined }), ...change };
    const input = Object.entries(next).filter(([, value]) => value !== undefined && value !== "");
    void navigate({
      to: ".",
      search: Object.fromEntries(input) as never,
      replace: !opens,
      resetScroll: false,
    });
  };
  return [search, set];
}
