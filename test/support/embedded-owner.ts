/** A program that runs an embedded Postgres until it is killed. Its argument is the data folder. */
import { startEmbeddedPostgres } from "../../src/embedded/postgres/embedded-postgres.ts";
import { toError } from "../../src/platform/errors.ts";
import { createLogger } from "../../src/platform/logger.ts";

const [dataDir = ""] = process.argv.slice(2);
const log = createLogger("silent", "owner");
function report(what: object): void {
  void process.stdout.write(`${JSON.stringify(what)}\n`);
}
try {
  const { url, pid, isAdopted } = await startEmbeddedPostgres({
    dataDir,
    log,
    settings: { fsync: "off" },
  });
  report({ url, pid, isAdopted });
} catch (thrown) {
  report({ fault: toError(thrown).message });
}
