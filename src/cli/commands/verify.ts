import { parseCapturedJson, parseCurl, parseHeaders } from "../captured.ts";
import { exitCodes, usageError, type ExitCode } from "../exit.ts";
import { paint, printJson, printLine, type Shell } from "../shell.ts";
import { checkPublicKeyForm, checkRequest, checkSecretForm, type Captured } from "../signature.ts";

export type VerifyOptions = {
  secrets: readonly string[];
  publicKeys: readonly string[];
  toleranceSeconds: number;
  headers?: string;
  body?: string;
  curl?: string;
  isJson: boolean;
};

/** Whether a captured request is genuine, by its own word and a key: nothing is asked. */
export async function verifyCaptured(shell: Shell, options: VerifyOptions): Promise<ExitCode> {
  const { secrets, publicKeys, toleranceSeconds } = options;
  if (secrets.length + publicKeys.length === 0) {
    throw usageError("Give --secret or --public-key, or set SIGHTLINE_SECRET.");
  }
  secrets.forEach(checkSecretForm);
  publicKeys.forEach(checkPublicKeyForm);
  const captured = await readCaptured(shell, options);
  const keys = { secrets, publicKeys };
  const checks = checkRequest(captured, keys, { now: shell.now(), toleranceSeconds });
  const isGood = checks.every((check) => check.isGood);
  if (options.isJson) {
    const shown = checks.map((check) => ({
      check: check.name,
      good: check.isGood,
      detail: check.detail,
    }));
    printJson(shell, { genuine: isGood, checks: shown });
  } else {
    for (const check of checks) {
      const mark = check.isGood ? paint(shell, "green", "ok ") : paint(shell, "red", "bad");
      printLine(shell, `${mark}  ${check.name}: ${check.detail}`);
    }
    printLine(shell, isGood ? "Genuine." : "Not genuine.");
  }
  return isGood ? exitCodes.ok : exitCodes.negative;
}

async function readCaptured(shell: Shell, options: VerifyOptions): Promise<Captured> {
  const { headers, body, curl } = options;
  if (curl !== undefined) {
    return parseCurl((await shell.readFile(curl)).toString());
  }
  if (headers !== undefined || body !== undefined) {
    if (headers === undefined || body === undefined) {
      throw usageError("--headers and --body belong together.");
    }
    const text = await shell.readFile(headers);
    return { headers: parseHeaders(text.toString()), body: await shell.readFile(body) };
  }
  return parseCapturedJson(await shell.readInput());
}
