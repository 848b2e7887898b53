/** The embedded Postgres cannot be started. The message says what to do. */
export class EmbeddedPostgresError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "EmbeddedPostgresError";
  }
}

/** Another Sightline process holds this data folder. */
export class DataDirBusyError extends Error {
  constructor(dataDir: string, pid: number | undefined) {
    const who = pid === undefined ? "" : ` (process ${pid})`;
    super(
      `Sightline already runs on the data folder ${dataDir}${who}. ` +
        "Stop it first, or set DATA_DIR to another folder.",
    );
    this.name = "DataDirBusyError";
  }
}

export function codeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && "code" in thrown && typeof thrown.code === "string"
    ? thrown.code
    : undefined;
}
