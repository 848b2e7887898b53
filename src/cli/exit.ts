/** What a script can rely on. */
export const exitCodes = {
  ok: 0,
  /** The answer is no: gaps, a bad signature, a test that the receiver did not take. */
  negative: 1,
  /** Words or options that make no sense. */
  usage: 2,
  /** The platform or a file cannot be reached, or the platform refuses. */
  refused: 3,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends a command with one line for people. */
export class CliError extends Error {
  readonly code: ExitCode;
  /** Of an answer of the platform. */
  readonly status: number | undefined;
  constructor(code: ExitCode, message: string, status?: number) {
    super(message);
    this.name = "CliError";
    this.code = code;
    this.status = status;
  }
}

export function usageError(message: string): CliError {
  return new CliError(exitCodes.usage, message);
}
