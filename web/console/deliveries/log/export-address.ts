import type { LogQuery } from "./search.ts";

/** Download URL of a search. Pure. */
export function exportAddress(query: LogQuery, format: "csv" | "json"): string {
  const { limit: _limit, cursor: _cursor, ...filters } = query;
  const input = Object.entries(filters).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  return `/api/webhooks/deliveries/export?${new URLSearchParams([...input, ["format", format]]).toString()}`;
}
