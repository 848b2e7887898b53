/** HTML as a string; values of a result are escaped. */
const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export function escape(text: string): string {
  return text.replaceAll(/[&<>"]/gu, (char) => entities[char] ?? char);
}

/** Two decimals are precise enough for coordinates. */
export function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** The palette index of gray. */
export const neutral = 5;

/** Palette colors, defined in the style sheet for light and dark mode. */
export function color(index: number): string {
  return `var(--series-${index % 7})`;
}
