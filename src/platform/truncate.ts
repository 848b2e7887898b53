/**
 * The beginning of a text, at most `length` long. A character of two halves is never cut between
 * them: half of one can be stored nowhere.
 */
export function truncate(text: string, length: number): string {
  return text.slice(0, length).replace(/\p{Surrogate}$/u, "");
}
