import { EventEmitter } from "node:events";
import { runUntilSignal, type Lifecycle } from "../../src/platform/lifecycle.ts";
import { createLogger, type Logger } from "../../src/platform/logger.ts";

export type Line = { event: string; [field: string]: unknown };

/** A logger that records its calls. */
export function recordingLog(lines: Line[]): Logger {
  const log = createLogger("silent", "test");
  const record = (fields: object, event: string): void => void lines.push({ ...fields, event });
  const fatal = (fields: object, event: string): void =>
    record({ ...fields, level: "fatal" }, event);
  const errors = { warn: record, error: record, fatal };
  return Object.assign(log, { debug: record, info: record, ...errors });
}

/** Runs a process without one; `pass` advances its time. */
export function runLifecycle(
  start: (lifecycle: Lifecycle) => Promise<void>,
  runner = runUntilSignal,
) {
  const source = new EventEmitter();
  const codes: number[] = [];
  const printed: string[] = [];
  const lines: Line[] = [];
  let nowMs = 0;
  const log = recordingLog(lines);
  const ended = runner("test", start, {
    process: source,
    exit: (code) => void codes.push(code),
    printError: (line) => void printed.push(line),
    createLog: () => log,
    nowMs: () => nowMs,
  });
  const send = (signal: string, atMs = nowMs): void => {
    nowMs = atMs;
    source.emit(signal);
  };
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { source, codes, printed, lines, ended, send, log, pass };
}
