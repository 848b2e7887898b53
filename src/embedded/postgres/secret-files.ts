import { randomBytes } from "node:crypto";
import { chmod, link, mkdir, open, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { parseSecretKey } from "../../platform/secret-box.ts";
import { codeOf } from "./errors.ts";

/** The superuser's password, created on the first start. */
export function loadOrCreatePassword(dataDir: string): Promise<string> {
  const created = randomBytes(24).toString("hex");
  return loadOrCreate(join(dataDir, "postgres-password"), created, parsePassword);
}

/**
 * The platform's secret key if none is configured, created on the first start. Without it the
 * encrypted values in the database cannot be read.
 */
export async function loadOrCreateSecretKey(dataDir: string): Promise<Buffer> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const created = randomBytes(32).toString("base64");
  return loadOrCreate(join(dataDir, "secret-key"), created, parseSecretKey);
}

/** The text of a file, or undefined if there is none. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") {
      return undefined;
    }
    throw thrown;
  }
}

function parsePassword(text: string): string {
  if (!/^[\w-]{16,}$/u.test(text)) {
    throw new Error("it is not a password that Sightline created");
  }
  return text;
}

/** An existing secret is never replaced: data would be lost with it. */
async function loadOrCreate<T>(
  path: string,
  created: string,
  parse: (text: string) => T,
): Promise<T> {
  if ((await readIfThere(path)) === undefined) {
    await createOnce(path, `${created}\n`);
  }
  try {
    await chmod(path, 0o600);
    return parse((await readFile(path, "utf8")).trim());
  } catch (thrown) {
    throw new Error(`The secret in ${path} cannot be used. Restore the file from a backup.`, {
      cause: thrown,
    });
  }
}

/**
 * Creates a file in one step, and never over another one: a crash leaves no partial file, and of
 * two processes that start at once one wins.
 */
async function createOnce(path: string, content: string): Promise<void> {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
    await link(draft, path).catch((thrown: unknown) => {
      if (codeOf(thrown) !== "EEXIST") {
        throw thrown;
      }
    });
  } finally {
    await file.close();
    await unlink(draft);
  }
}
