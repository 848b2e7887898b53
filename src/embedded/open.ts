/** The database and the secret key of `npm start` where none is configured. */
import type { Lifecycle } from "../platform/lifecycle.ts";
import type { Logger } from "../platform/logger.ts";
import { parseSecretKey } from "../platform/secret-box.ts";
import { startEmbeddedPostgres } from "./postgres/embedded-postgres.ts";
import { loadOrCreateSecretKey } from "./postgres/secret-files.ts";

export type EmbeddedSettings = Readonly<{
  dataDir: string;
  databaseUrl: string | undefined;
  secretKey: string | undefined;
}>;

export async function openDatabase(
  { dataDir, databaseUrl }: EmbeddedSettings,
  log: Logger,
  lifecycle: Lifecycle,
): Promise<string> {
  if (databaseUrl !== undefined) {
    return databaseUrl;
  }
  const embedded = await startEmbeddedPostgres({ dataDir, log, signal: lifecycle.signal });
  lifecycle.onStop("embedded Postgres", () => embedded.stop());
  return embedded.url;
}

export async function openSecretKey({ dataDir, secretKey }: EmbeddedSettings): Promise<Buffer> {
  return secretKey === undefined ? loadOrCreateSecretKey(dataDir) : parseSecretKey(secretKey);
}
