/** Matches commands against the typed text. Pure. */

export type Command = Readonly<{
  id: string;
  label: string;
  /** Secondary text: target or description. */
  note?: string;
  group: "actions" | "pages" | "found";
  run: () => void;
}>;

/**
 * Every typed word must be a prefix of a word of the command; matches at the start of the name come
 * first.
 */
export function matching(commands: readonly Command[], typed: string): Command[] {
  const term = plain(typed.trim());
  if (term === "") {
    return [...commands];
  }
  const words = term.split(/\s+/u);
  const fits = ({ label, note = "" }: Command): boolean => {
    const own = plain(`${label} ${note}`).split(/[^\p{L}\p{N}#]+/u);
    return words.every((word) => own.some((one) => one.startsWith(word)));
  };
  const rank = ({ label }: Command): number => (plain(label).startsWith(term) ? 0 : 1);
  return commands.filter(fits).toSorted((a, b) => rank(a) - rank(b));
}

/** Removes accents and case. */
function plain(text: string): string {
  return text
    .normalize("NFD")
    .replaceAll(/\p{Diacritic}/gu, "")
    .toLowerCase();
}

/** The next or previous row, with wrap-around; -1 for none. */
export function moveSelection(from: number, by: 1 | -1, count: number): number {
  return count === 0 ? -1 : (from + by + count) % count;
}
