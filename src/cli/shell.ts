import Table from "cli-table3";

/** The environment of commands; tests replace it. */
export type Shell = {
  env: Readonly<Record<string, string | undefined>>;
  /** The result of the command. */
  out: (text: string) => void;
  /** Messages for people: progress, hints, errors. */
  err: (text: string) => void;
  /** Whether `err` is a terminal, which can show progress. */
  isTerminal: boolean;
  /** Whether `out` shows colours. */
  hasColours: boolean;
  /** Fires at Ctrl-C. */
  signal: AbortSignal;
  /** Reads a line from the terminal; undefined if there is none. */
  ask: ((question: string) => Promise<string>) | undefined;
  readFile: (path: string) => Promise<Buffer>;
  readInput: () => Promise<string>;
  fetch: typeof fetch;
  now: () => Date;
};

const colourCodes = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 } as const;

export type Colour = keyof typeof colourCodes;

// Control characters (terminal injection) and bidi overrides in foreign text.
const controls = /(?![\t\n])[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;

/** Stable exit codes for scripts. */
export const exitCodes = {
  ok: 0,
  /** Negative result: gaps, bad signature, failed test. */
  negative: 1,
  /** Invalid arguments. */
  usage: 2,
  /**
   * The platform or a file cannot be reached, the platform rejects the request, or its answer is
   * not the API's.
   */
  refused: 3,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends a command with a one-line message. */
export class CliError extends Error {
  readonly code: ExitCode;
  /** The HTTP status, if the platform answered. */
  readonly status: number | undefined;
  constructor(code: ExitCode, message: string, status?: number) {
    super(message);
    this.name = "CliError";
    this.code = code;
    this.status = status;
  }
}

export type Cell = string | number | boolean | null | undefined;

const plain = { head: [], border: [] };

/** Colours the text if the output supports it. */
export function paint({ hasColours }: Pick<Shell, "hasColours">, colour: Colour, text: string) {
  return hasColours ? `\u001B[${colourCodes[colour]}m${text}\u001B[0m` : text;
}

export function printStatus({ err }: Pick<Shell, "err">, text: string): void {
  err(`${text}\n`);
}

export function printJson(shell: Pick<Shell, "out">, value: unknown): void {
  printLine(shell, toJson(value, 2));
}

/** JSON with control characters escaped (terminal injection). */
export function toJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(
    controls,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

export function usageError(message: string): CliError {
  return new CliError(exitCodes.usage, message);
}

/** Prints a table. Empty cells are shown as a dash. */
export function printTable(
  shell: Pick<Shell, "out" | "hasColours">,
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
): void {
  const table = new Table({
    head: [...head],
    style: shell.hasColours ? { head: ["bold"], border: ["gray"] } : plain,
  });
  table.push(...rows.map((row) => row.map((cell) => replaceControls(String(cell ?? "–")))));
  printLine(shell, table.toString());
}

/** Prints names and values in two columns. */
export function printFacts(
  shell: Pick<Shell, "out" | "hasColours">,
  facts: readonly (readonly [string, Cell])[],
): void {
  const table = new Table({ style: shell.hasColours ? { head: ["bold"] } : plain });
  table.push(...facts.map(([name, value]) => ({ [name]: replaceControls(String(value ?? "–")) })));
  printLine(shell, table.toString());
}

/** Replaces control and bidi characters in foreign text. */
export function replaceControls(text: string): string {
  return text.replaceAll(controls, "�");
}

export function printLine({ out }: Pick<Shell, "out">, text: string): void {
  out(`${text}\n`);
}
