import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { toError } from "../platform/errors.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Builds the pages where their sources changed; takes moments where they did not. */
export async function buildPages(): Promise<void> {
  const args = ["--import", "tsx", "web/build/build.ts"];
  await promisify(execFile)(process.execPath, args, { cwd: root }).catch((thrown: unknown) => {
    const { stderr = "", message } = toError(thrown) as Error & { stderr?: string };
    throw new Error(`The pages could not be built:\n${stderr || message}`, { cause: thrown });
  });
}
