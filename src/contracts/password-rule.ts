/** The rule for new passwords. Pure. */

export const passwordRule =
  "at least 12 characters, or 8 with an upper-case letter, a lower-case letter and a digit";

export function meetsPasswordRule(password: string): boolean {
  const length = [...password].length;
  const isMixed = /\p{Lu}/u.test(password) && /\p{Ll}/u.test(password) && /\d/u.test(password);
  return length <= 1024 && (length >= 12 || (length >= 8 && isMixed));
}
