/** Commands between pages: run on the customer's, awaited on the agent's. */
import type { CallCommand, CommandResult } from "../../src/contracts/room-messages.ts";
import { newId } from "../shared/new-id.ts";
import type { Signalling } from "./signalling/signalling-client.ts";
import type { Store } from "./store.ts";

export type CommandOptions = Readonly<{
  store: Store;
  signalling: Signalling;
  /** Runs a command of another page on this page. */
  run(command: CallCommand): Promise<CommandResult>;
}>;

export type Commands = Readonly<{
  send(to: string, command: CallCommand): Promise<CommandResult>;
}>;

const failed: CommandResult = { ok: false, reason: "failed" };

/** The results of the last commands, for duplicates. */
const maxRemembered = 50;

export function createCommands({ store, signalling, run }: CommandOptions): Commands {
  const awaited = new Map<string, (result: CommandResult) => void>();
  const results = new Map<string, Promise<CommandResult>>();

  const runOnce = (id: string, command: CallCommand): Promise<CommandResult> => {
    const result = results.get(id) ?? runAllowed(command);
    results.set(id, result);
    const [oldest] = results.keys();
    if (results.size > maxRemembered && oldest !== undefined) {
      results.delete(oldest);
    }
    return result;
  };
  const runAllowed = async (command: CallCommand): Promise<CommandResult> => {
    if (store.view().local.isPaused && command.name !== "mute" && command.name !== "locate") {
      return { ok: false, reason: "paused" };
    }
    return run(command).catch(() => failed);
  };

  signalling.on("command", ({ from, id, command }) => {
    void runOnce(id, command).then((result) =>
      signalling.request("result", { to: from, id, result }),
    );
  });
  signalling.on("result", ({ id, result }) => awaited.get(id)?.(result));

  return {
    send: async (to, command) => {
      const id = newId();
      const result = new Promise<CommandResult>((resolve) => {
        awaited.set(id, resolve);
        setTimeout(() => resolve(failed), limitMs(command));
      });
      const ack = await signalling.request("command", { to, id, command });
      const outcome = ack.ok ? await result : failed;
      awaited.delete(id);
      return outcome;
    },
  };
}

/** A photo has to be uploaded, and a person has to answer the browser's question for the position. */
function limitMs({ name }: CallCommand): number {
  const limits: Partial<Record<CallCommand["name"], number>> = { snapshot: 20_000, locate: 60_000 };
  return limits[name] ?? 10_000;
}
