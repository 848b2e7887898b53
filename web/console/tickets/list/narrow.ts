/** Where a list is cards. */
export const narrow = "(max-width: 48em)";
