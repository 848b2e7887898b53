/** The rule of the API (`src/platform/password-rule.ts`): lengths are in code points. */
export function passwordFault(password: string): boolean {
  const length = [...password].length;
  const isMixed = /\p{Lu}/u.test(password) && /\p{Ll}/u.test(password) && /\d/u.test(password);
  return length > 1_024 || (length < 12 && !(length >= 8 && isMixed));
}
