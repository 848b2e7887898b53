import { pino, stdTimeFunctions, type Logger as PinoLogger } from "pino";
import { createLogOutput, type LogOutput } from "./log-output.ts";

export type Logger = PinoLogger;

/** Paths whose values are redacted, at any depth that our records have. */
const secretPaths = [
  "authorization",
  "cookie",
  "password",
  "secret",
  "token",
  "access_token",
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** That of all loggers of this process. */
let output: LogOutput | undefined;

/** Writes one JSON line per record to stdout; `role` names the process. */
export function createLogger(level: string, role: string): Logger {
  const onLost = (lines: number): void => log.warn({ lines }, "log.lines_lost");
  const log: Logger = pino(
    {
      level,
      base: { role },
      timestamp: stdTimeFunctions.isoTime,
      // An error of `new URL` has the whole text as its `input`, also a password in it.
      redact: {
        paths: [...secretPaths, 'headers["set-cookie"]', "err.input"],
        censor: "[redacted]",
      },
    },
    // Pino's own output ends a process whose disk is full, and then waits for room without a limit.
    (output ??= createLogOutput({ fd: 1, onLost })),
  );
  return log;
}
