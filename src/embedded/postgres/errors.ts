/** The embedded Postgres cannot be had. The message says what to do about it. */
export class EmbeddedPostgresError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "EmbeddedPostgresError";
  }
}

/** Another Sightline holds this data folder. */
export class DataDirBusyError extends Error {
  constructor(dataDir: string, pid: number | undefined) {
    const who = pid === undefined ? "" : ` (process ${pid})`;
    super(
      `Sightline already runs on the data folder ${dataDir}${who}. ` +
        "Stop it first, or give this one a folder of its own with DATA_DIR.",
    );
    this.name = "DataDirBusyError";
  }
}

export function codeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && "code" in thrown && typeof thrown.code === "string"
    ? thrown.code
    : undefined;
}
