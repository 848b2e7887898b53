/** The words of a comma list, without what is empty. */
export function wordsIn(list: string): string[] {
  return list
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}
