import { randomBytes } from "node:crypto";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseSecretKey } from "../secret-box.ts";
import { createOnce, readIfThere } from "./private-file.ts";

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
