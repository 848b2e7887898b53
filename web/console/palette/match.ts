/** Which commands a typed text means. Pure. */

export type Command = Readonly<{
  id: string;
  label: string;
  /** What stands beside it: where it leads, or what it is about. */
  note?: string;
  group: "actions" | "pages" | "found";
  run: () => void;
}>;

/** Every typed word begins a word of the command; those whose name begins with it come first. */
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

/** Without accents and case: nobody types "Réglages" with its accent in a hurry. */
function plain(text: string): string {
  return text
    .normalize("NFD")
    .replaceAll(/\p{Diacritic}/gu, "")
    .toLowerCase();
}

/** The row after or before, round and round; -1 where there is none. */
export function moveSelection(from: number, by: 1 | -1, count: number): number {
  return count === 0 ? -1 : (from + by + count) % count;
}
