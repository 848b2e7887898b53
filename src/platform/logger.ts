import { pino, stdTimeFunctions, type Logger as PinoLogger } from "pino";

export type Logger = PinoLogger;

/** Paths whose values never reach a log line, at any depth that our own records have. */
const secretPaths = [
  "authorization",
  "cookie",
  "password",
  "secret",
  "token",
  "access_token",
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** One JSON line per record on stdout; `role` says which process wrote it. */
export function createLogger(level: string, role: string): Logger {
  return pino({
    level,
    base: { role },
    timestamp: stdTimeFunctions.isoTime,
    redact: { paths: [...secretPaths, 'headers["set-cookie"]'], censor: "[redacted]" },
  });
}
