import type { Client } from "./client.ts";
import type { Credentials } from "./credentials.ts";
import type { ExitCode } from "./exit.ts";
import type { Shell } from "./shell.ts";

/** What a command may ask for. The platform is needed by most, not by all. */
export type Tools = {
  shell: Shell;
  connect: () => { client: Client; credentials: Credentials };
  /** Wraps what a command does; its exit code is the program's. */
  action: (work: () => Promise<ExitCode | undefined>) => Promise<void>;
};
