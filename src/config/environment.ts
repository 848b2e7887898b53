/** The one place that reads `process.env` and `process.argv`; everything else gets values. */
export const readEnvironment = (): Record<string, string | undefined> => ({ ...process.env });

/** The words after the script's name. */
export const readArguments = (): string[] => process.argv.slice(2);
