import { useNavigate, useSearch } from "@tanstack/react-router";

/** Reads what the address says after the `?`, of the names that the page knows; the rest is nothing. */
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
 * What the address says, and how to change part of it: an empty text takes a name out. What narrows
 * a list begins at its first page again.
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
