import {
  exitCodes,
  usageError,
  type ExitCode,
  paint,
  printJson,
  printLine,
  type Shell,
} from "../shell.ts";
import {
  checkPublicKeyForm,
  checkRequest,
  checkSecretForm,
  type CapturedRequest,
} from "../signature.ts";
import type { Command } from "commander";
import { collect, jsonOption, toSeconds, type CommandContext } from "../options.ts";

type VerifyFlags = {
  secret?: string[];
  publicKey?: string[];
  tolerance: number;
  headers?: string;
  body?: string;
  curl?: string;
  json?: true;
};

/** The command `verify`. */
export function addVerify(program: Command, { shell, action }: CommandContext): void {
  program
    .command("verify")
    .description("check the signature of a captured request, without the platform")
    .option("--secret <whsec>", "can be given twice (or set SIGHTLINE_SECRET)", collect)
    .option("--public-key <whpk>", "for v1a signatures; can be given twice", collect)
    .option("--tolerance <seconds>", "maximum age; 0: any age", toSeconds, 300)
    .option("--headers <file>", "file with lines Name: value, or JSON")
    .option("--body <file>", "file with the exact bytes")
    .option("--curl <file>", "instead of both: file with a curl command")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      '\nWithout files, reads {"headers": {…}, "body": "…"} from standard input.',
    )
    .action(({ json, secret, publicKey, tolerance, ...files }: VerifyFlags) =>
      action(() => {
        const own = shell.env["SIGHTLINE_SECRET"];
        const fallback = publicKey === undefined && own !== undefined ? [own] : [];
        return verifyCaptured(shell, {
          ...files,
          secrets: secret ?? fallback,
          publicKeys: publicKey ?? [],
          toleranceSeconds: tolerance,
          isJson: json === true,
        });
      }),
    );
}

type VerifyOptions = {
  secrets: readonly string[];
  publicKeys: readonly string[];
  toleranceSeconds: number;
  headers?: string;
  body?: string;
  curl?: string;
  isJson: boolean;
};

/** Verifies the signature of a captured request offline. */
async function verifyCaptured(shell: Shell, options: VerifyOptions): Promise<ExitCode> {
  const { secrets, publicKeys, toleranceSeconds } = options;
  if (secrets.length + publicKeys.length === 0) {
    throw usageError("Give --secret or --public-key, or set SIGHTLINE_SECRET.");
  }
  secrets.forEach(checkSecretForm);
  publicKeys.forEach(checkPublicKeyForm);
  const captured = await readCaptured(shell, options);
  const keys = { secrets, publicKeys };
  const checks = checkRequest(captured, keys, { now: shell.now(), toleranceSeconds });
  const isValid = checks.every((check) => check.isValid);
  if (options.isJson) {
    const shown = checks.map((check) => ({
      check: check.name,
      good: check.isValid,
      detail: check.detail,
    }));
    printJson(shell, { genuine: isValid, checks: shown });
  } else {
    for (const check of checks) {
      const mark = check.isValid ? paint(shell, "green", "ok ") : paint(shell, "red", "bad");
      printLine(shell, `${mark}  ${check.name}: ${check.detail}`);
    }
    printLine(shell, isValid ? "Valid." : "Not valid.");
  }
  return isValid ? exitCodes.ok : exitCodes.negative;
}

async function readCaptured(shell: Shell, options: VerifyOptions): Promise<CapturedRequest> {
  const { headers, body, curl } = options;
  if (curl !== undefined) {
    return parseCurl((await shell.readFile(curl)).toString());
  }
  if (headers !== undefined || body !== undefined) {
    if (headers === undefined || body === undefined) {
      throw usageError("--headers and --body must be used together.");
    }
    const text = await shell.readFile(headers);
    return { headers: parseHeaders(text.toString()), body: await shell.readFile(body) };
  }
  return parseCapturedJson(await shell.readInput());
}

const headerOptions = new Set(["-H", "--header"]);

const bodyOptions = new Set([
  "-d",
  "--data",
  "--data-raw",
  "--data-binary",
  "--data-ascii",
  "--json",
]);

/** Parses a curl command as copied by browsers. Bodies in files (`@…`) are not read. */
function parseCurl(command: string): CapturedRequest {
  const words = wordsOf(command.trim());
  if (words[0] !== "curl") {
    throw usageError("The file does not start with curl.");
  }
  const headers: [string, string][] = [];
  let body: string | undefined;
  words.forEach((word, index) => {
    const [name = "", joined] = word.startsWith("--") ? word.split(/=(.*)/su) : [word];
    const value = joined ?? words[index + 1] ?? "";
    if (headerOptions.has(name)) {
      headers.push(...splitHeader(value));
    } else if (bodyOptions.has(name)) {
      body = body === undefined ? value : `${body}&${value}`;
    }
  });
  if (body === undefined) {
    throw usageError("The curl command has no body: --data-raw or --data-binary is missing.");
  }
  if (body.startsWith("@")) {
    throw usageError("The curl command reads its body from a file: use --headers and --body.");
  }
  return { headers: toHeaders(headers), body: Buffer.from(body) };
}

/** Splits a shell command with the quoting that browsers and tools write. */
function wordsOf(command: string): string[] {
  const words: string[] = [];
  const parts =
    /\\\r?\n|\s+|\$'(?<ansi>(?:[^'\\]|\\.)*)'|'(?<single>[^']*)'|"(?<double>(?:[^"\\]|\\[\s\S])*)"|(?<bare>(?:\\[\s\S]|[^\s'"\\$]|\$(?!'))+)/gu;
  let word: string | undefined;
  for (const { 0: whole, groups = {} } of command.matchAll(parts)) {
    const { ansi, single, double, bare } = groups;
    if ([ansi, single, double, bare].every((part) => part === undefined)) {
      if (word !== undefined && /^\s/u.test(whole)) {
        words.push(word);
        word = undefined;
      }
    } else {
      word = (word ?? "") + (single ?? unescapeAnsi(ansi) ?? unescape(double, bare));
    }
  }
  return word === undefined ? words : [...words, word];
}

const ansiEscapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

function unescapeAnsi(text: string | undefined): string | undefined {
  return text?.replaceAll(
    /\\(?:u(?<wide>[0-9a-f]{4})|x(?<narrow>[0-9a-f]{2})|(?<other>.))/giu,
    (_whole, wide?: string, narrow?: string, other?: string) => {
      const code = wide ?? narrow;
      return code === undefined
        ? (ansiEscapes[other ?? ""] ?? other ?? "")
        : String.fromCodePoint(Number.parseInt(code, 16));
    },
  );
}

function unescape(double: string | undefined, bare: string | undefined): string {
  return double === undefined
    ? (bare ?? "").replaceAll(/\\([\s\S])/gu, "$1")
    : double.replaceAll(/\\(["\\$`])/gu, "$1");
}

/** Parses lines `Name: value`, as browsers and proxies show them, or a JSON object. */
function parseHeaders(text: string): Record<string, string> {
  if (text.trimStart().startsWith("{")) {
    return headersOfJson(parseJson(text, "The headers are"));
  }
  return toHeaders(text.split(/\r?\n/u).flatMap(splitHeader));
}

function splitHeader(line: string): [string, string][] {
  const colon = line.indexOf(":");
  return colon <= 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1)]];
}

/**
 * Parses `{"headers": {…}, "body": "…"}`. The body is the exact text, or base64 in `body_base64`.
 */
function parseCapturedJson(text: string): CapturedRequest {
  const input = parseJson(text, "The captured request is") as Record<string, unknown> | null;
  const body = input?.["body"];
  const base64 = input?.["body_base64"];
  if (typeof base64 === "string") {
    return { headers: headersOfJson(input?.["headers"]), body: Buffer.from(base64, "base64") };
  }
  if (typeof body !== "string") {
    throw usageError(
      'The captured request needs "body" as a string with the exact text: a parsed object loses bytes.',
    );
  }
  return { headers: headersOfJson(input?.["headers"]), body: Buffer.from(body) };
}

/** `subject` begins the sentence of the error: "The headers are". */
function parseJson(text: string, subject: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw usageError(`${subject} not valid JSON.`);
  }
}

function headersOfJson(input: unknown): Record<string, string> {
  if (typeof input !== "object" || input === null) {
    throw usageError("The headers must be an object of names and values.");
  }
  const entries = Array.isArray(input)
    ? (input as ({ name?: unknown; value?: unknown } | null)[]).map(
        (header) => [String(header?.name), String(header?.value)] as const,
      )
    : Object.entries(input).map(([name, value]) => [name, String(value)] as const);
  return toHeaders(entries);
}

type Pairs = readonly (readonly [string, string])[];

function toHeaders(pairs: Pairs): Record<string, string> {
  return Object.fromEntries(
    pairs.map(([name, value]) => [name.trim().toLowerCase(), value.trim()]),
  );
}
