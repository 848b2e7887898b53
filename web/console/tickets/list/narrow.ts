/** Where a list is cards and its filters are behind a button. */
export const narrow = "(max-width: 48em)";
