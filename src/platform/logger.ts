import { pino, stdTimeFunctions, type Logger as PinoLogger } from "pino";

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

/** Writes one JSON line per record to stdout; `role` names the process. */
export function createLogger(level: string, role: string): Logger {
  return pino({
    level,
    base: { role },
    timestamp: stdTimeFunctions.isoTime,
    redact: { paths: [...secretPaths, 'headers["set-cookie"]'], censor: "[redacted]" },
  });
}
