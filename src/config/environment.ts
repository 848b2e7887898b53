/** The one place that reads `process.env`; everything else gets a validated `Config`. */
export const readEnvironment = (): Record<string, string | undefined> => ({ ...process.env });
