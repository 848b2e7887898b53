/** An option of a list, and the search in it. Pure. */

export type Choice = Readonly<{
  value: string;
  label: string;
  /** Search text of the option; defaults to its label. */
  searched?: string;
}>;

/** The options that match the text, not only by their label as in Mantine's filter. */
export function matchingChoices(choices: readonly Choice[], text: string): Choice[] {
  const word = text.trim().toLowerCase();
  return choices.filter(({ label, searched = label }) => searched.toLowerCase().includes(word));
}
