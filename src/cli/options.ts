/** Option parsers and the context that commands get. */
import { InvalidArgumentError, Option } from "commander";
import type { ApiClient, Credentials } from "./client.ts";
import type { ExitCode, Shell } from "./shell.ts";

/** The context of a command. Some commands, such as verify, work without a platform. */
export type CommandContext = {
  shell: Shell;
  connect: () => { client: ApiClient; credentials: Credentials };
  /** Runs a command and sets the exit code. */
  action: (work: () => Promise<ExitCode | undefined>) => Promise<void>;
};

/** Parses a repeatable id argument. */
export function toIds(text: string, before: readonly number[] = []): number[] {
  return [...before, toId(text)];
}

export function toId(text: string): number {
  const id = Number(text);
  if (!/^\d{1,15}$/u.test(text) || id < 1) {
    throw new InvalidArgumentError("It must be a whole number of at least 1.");
  }
  return id;
}

export function toSeconds(text: string): number {
  if (!/^\d{1,9}$/u.test(text)) {
    throw new InvalidArgumentError("It must be a whole number of seconds.");
  }
  return Number(text);
}

export function collect(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

export function jsonOption(): Option {
  return new Option("--json", "JSON for programs");
}

export function filtersOption(): Option {
  return new Option(
    "--filters <list>",
    "which events, such as ticket.*,media.update (default: all)",
  )
    .argParser<string[]>(toFilters)
    .default([], "all");
}

/** Parses `ticket.*,media.update`; repeatable. */
export function toFilters(text: string, before: readonly string[] = []): string[] {
  return [
    ...before,
    ...text
      .split(",")
      .map((word) => word.trim())
      .filter((word) => word !== ""),
  ];
}
