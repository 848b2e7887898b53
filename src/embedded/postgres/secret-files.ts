import { randomBytes } from "node:crypto";
import { chmod, link, open, readFile, unlink, mkdir } from "node:fs/promises";
import { codeOf } from "./errors.ts";
import { join } from "node:path";
import { parseSecretKey } from "../../platform/secret-box.ts";

const passwordForm = /^[\w-]{16,}$/u;

/**
 * The superuser's password, made up on the first start. A file that holds no password (emptied by
 * a full disk, say) is replaced; the server is then told the new one.
 */
export async function loadOrCreatePassword(path: string): Promise<string> {
  const existing = (await readIfThere(path))?.trim();
  if (existing !== undefined && passwordForm.test(existing)) {
    await chmod(path, 0o600);
    return existing;
  }
  if (existing !== undefined) {
    await unlink(path);
  }
  await createOnce(path, `${randomBytes(24).toString("hex")}\n`);
  const created = (await readIfThere(path))?.trim();
  if (created === undefined || !passwordForm.test(created)) {
    throw new Error(`The password in ${path} vanished while it was written`);
  }
  return created;
}

const fileName = "secret-key";

/**
 * The platform's secret key where none is configured: made on the first start, kept in the data
 * folder, readable by its owner only. Without it what is sealed in the database stays closed.
 */
export async function loadOrCreateSecretKey(dataDir: string): Promise<Buffer> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, fileName);
  const existing = await readKey(path);
  if (existing !== undefined) {
    return existing;
  }
  await createOnce(path, `${randomBytes(32).toString("base64")}\n`);
  const created = await readKey(path);
  if (created === undefined) {
    throw new Error(`The secret key in ${path} vanished while it was written`);
  }
  return created;
}

async function readKey(path: string): Promise<Buffer | undefined> {
  try {
    const text = await readIfThere(path);
    if (text === undefined) {
      return undefined;
    }
    await chmod(path, 0o600);
    return parseSecretKey(text.trim());
  } catch (thrown) {
    throw new Error(`The secret key in ${path} cannot be used`, { cause: thrown });
  }
}

/** The text of a file, or undefined where there is none. */
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

/**
 * Puts a file that only its owner reads in place in one step and never over another one: a crash
 * in the middle leaves no half file, and of two processes that start at once one wins.
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
