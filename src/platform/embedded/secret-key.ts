import { randomBytes } from "node:crypto";
import { chmod, link, mkdir, open, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { parseSecretKey } from "../secret-box.ts";

const fileName = "secret-key";

const isCode = (thrown: unknown, code: string): boolean =>
  thrown instanceof Error && "code" in thrown && thrown.code === code;

const readKey = async (path: string): Promise<Buffer | undefined> => {
  try {
    const text = await readFile(path, "utf8");
    await chmod(path, 0o600);
    return parseSecretKey(text.trim());
  } catch (thrown) {
    if (isCode(thrown, "ENOENT")) {
      return undefined;
    }
    throw new Error(`The secret key in ${path} cannot be used`, { cause: thrown });
  }
};

/**
 * Puts the whole file in place in one step and never over another one: a crash in the middle
 * leaves no half key behind, and of two processes that start at once one wins.
 */
const writeKey = async (path: string): Promise<void> => {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(`${randomBytes(32).toString("base64")}\n`);
    await file.sync();
    await link(draft, path).catch((thrown: unknown) => {
      if (!isCode(thrown, "EEXIST")) {
        throw thrown;
      }
    });
  } finally {
    await file.close();
    await unlink(draft);
  }
};

/**
 * The platform's secret key where none is configured: made on the first start, kept in the data
 * folder, readable by its owner only. Without it what is sealed in the database stays closed.
 */
export const loadOrCreateSecretKey = async (dataDir: string): Promise<Buffer> => {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, fileName);
  const existing = await readKey(path);
  if (existing !== undefined) {
    return existing;
  }
  await writeKey(path);
  const created = await readKey(path);
  if (created === undefined) {
    throw new Error(`The secret key in ${path} vanished while it was written`);
  }
  return created;
};
