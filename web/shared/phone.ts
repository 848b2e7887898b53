/** Phone numbers, before the numbering plans are loaded. Pure. */

/** E.164 of a number with its country code; undefined if invalid. */
export type ReadPhone = (international: string) => string | undefined;

/** Whether the text has the form of E.164. The length is checked, not the numbering plan. */
export function isE164(text: string): boolean {
  return /^\+[1-9]\d{6,14}$/u.test(text);
}
