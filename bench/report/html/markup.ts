/** HTML as a string; what comes from a result is escaped. */
const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export function escape(text: string): string {
  return text.replaceAll(/[&<>"]/gu, (char) => entities[char] ?? char);
}

/** Coordinates need no more. */
export function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** The position of the gray. */
export const neutral = 5;

/** Colors by position, defined in the style sheet for light and dark. */
export function color(index: number): string {
  return `var(--series-${index % 7})`;
}
