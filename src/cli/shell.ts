/** What commands know of the world around them: a test gives one of its own. */
export type Shell = {
  env: Readonly<Record<string, string | undefined>>;
  /** What was asked for. */
  out: (text: string) => void;
  /** What else is to be said to people: progress, hints, errors. */
  err: (text: string) => void;
  /** Whether `err` is a terminal, where something may move. */
  isTerminal: boolean;
  /** Whether `out` is one that shows colours. */
  hasColours: boolean;
  /** Fires at Ctrl-C. */
  signal: AbortSignal;
  /** One line that a person types; undefined where there is nobody to ask. */
  ask: ((question: string) => Promise<string>) | undefined;
  readFile: (path: string) => Promise<Buffer>;
  readInput: () => Promise<string>;
  fetch: typeof fetch;
  now: () => Date;
};

const codes = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 } as const;

export type Colour = keyof typeof codes;

// What other people's programs wrote must not move the cursor of a terminal, or worse; nor may it
// turn the direction in which the rest of the line is read.
const controls = /(?![\t\n])[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;

/** The text in a colour, where the terminal has any. */
export function paint({ hasColours }: Pick<Shell, "hasColours">, colour: Colour, text: string) {
  return hasColours ? `\u001B[${codes[colour]}m${text}\u001B[0m` : text;
}

export function tell({ err }: Pick<Shell, "err">, text: string): void {
  err(`${text}\n`);
}

export function printJson(shell: Pick<Shell, "out">, value: unknown): void {
  printLine(shell, toJson(value, 2));
}

export function printLine({ out }: Pick<Shell, "out">, text: string): void {
  out(`${text}\n`);
}

/** JSON that means the same, without what a terminal would act on. */
export function toJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(
    controls,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A text of somebody else's, fit for a terminal. */
export function clean(text: string): string {
  return text.replaceAll(controls, "�");
}
