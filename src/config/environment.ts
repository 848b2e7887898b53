/** The one place that reads `process.env` and `process.argv`; everything else gets values. */
export function readEnvironment(): Record<string, string | undefined> {
  return { ...process.env };
}

/** The words after the script's name. */
export function readArguments(): string[] {
  return process.argv.slice(2);
}
