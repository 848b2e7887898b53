/** A text that somebody types, and that the address keeps once they pause. Pure. */

export type DebouncedText = Readonly<{
  /** What stands in the field. */
  text: string;
  /** What the address said last. */
  value: string;
  /** What the address was asked to say and has not said yet, oldest first. */
  sent: readonly string[];
}>;

/** What to ask the address for now that nobody types any more; undefined where it says so already. */
export function pendingUpdate({ text, value, sent }: DebouncedText): string | undefined {
  const next = text.trim();
  return sent.length === 0 && next === value ? undefined : next;
}

export function afterUpdate(typed: DebouncedText, text: string): DebouncedText {
  return {
    ...typed,
    sent: [...typed.sent, text],
  };
}

/**
 * After the address says something else: an answer to what was asked leaves the field alone, where
 * more may have been typed by now; all else, such as the browser's way back, is taken over.
 */
export function afterNavigation(typed: DebouncedText, value: string): DebouncedText {
  const at = typed.sent.indexOf(value);
  return at === -1 ? initialText(value) : { ...typed, value, sent: typed.sent.slice(at + 1) };
}

export function initialText(value: string): DebouncedText {
  return { text: value, value, sent: [] };
}
