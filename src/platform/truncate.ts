/**
 * Cuts a text to `length` without splitting a surrogate pair, half of which Postgres cannot store.
 */
export function truncate(text: string, length: number): string {
  return text.slice(0, length).replace(/\p{Surrogate}$/u, "");
}
