/** How words of the command line become values. Each throws what commander tells people. */
import { InvalidArgumentError, Option } from "commander";

export const toId = (text: string): number => {
  const id = Number(text);
  if (!/^\d{1,15}$/u.test(text) || id < 1) {
    throw new InvalidArgumentError("It must be a whole number from 1 on.");
  }
  return id;
};

/** Of an argument that stands several times. */
export const toIds = (text: string, before: readonly number[] = []): number[] => [
  ...before,
  toId(text),
];

export const toSeconds = (text: string): number => {
  if (!/^\d{1,9}$/u.test(text)) {
    throw new InvalidArgumentError("It must be a whole number of seconds.");
  }
  return Number(text);
};

/** `ticket.*,media.update`, also given several times. */
export const toFilters = (text: string, before: readonly string[] = []): string[] => [
  ...before,
  ...text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== ""),
];

export const collect = (text: string, before: readonly string[] = []): string[] => [
  ...before,
  text,
];

export const jsonOption = (): Option => new Option("--json", "JSON for programs");

export const filtersOption = (): Option =>
  new Option("--filters <list>", "what to listen to, as ticket.*,media.update (default: all)")
    .argParser<string[]>(toFilters)
    .default([], "all");
