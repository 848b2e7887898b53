/** At least 8 characters with upper case, lower case and a digit, or any 12. */
export function passwordFault(password: string): boolean {
  return (
    password.length < 12 &&
    !(
      password.length >= 8 &&
      /\p{Lu}/u.test(password) &&
      /\p{Ll}/u.test(password) &&
      /\d/u.test(password)
    )
  );
}
