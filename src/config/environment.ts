/** The only place that reads `process.env` and `process.argv`. */
export function readEnvironment(): Record<string, string | undefined> {
  return { ...process.env };
}

/** The command-line arguments. */
export function readArguments(): string[] {
  return process.argv.slice(2);
}
