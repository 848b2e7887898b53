/** The words of a comma list, without what is empty. */
export const wordsIn = (list: string): string[] =>
  list
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
