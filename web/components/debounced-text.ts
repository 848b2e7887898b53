/** A debounced text field whose value lives in the URL. Pure. */

export type DebouncedText = Readonly<{
  /** Text in the field. */
  text: string;
  /** Last value from the URL. */
  value: string;
  /** Values sent to the URL and not yet confirmed, oldest first. */
  sent: readonly string[];
}>;

/** The value to write to the URL after the debounce; undefined if the URL already has it. */
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
 * After a URL change: the confirmation of a sent value leaves the field alone, because the user may
 * have typed more. Any other change, such as browser back, replaces the text.
 */
export function afterNavigation(typed: DebouncedText, value: string): DebouncedText {
  const at = typed.sent.indexOf(value);
  return at === -1 ? initialText(value) : { ...typed, value, sent: typed.sent.slice(at + 1) };
}

export function initialText(value: string): DebouncedText {
  return { text: value, value, sent: [] };
}
