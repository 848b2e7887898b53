/** Commands to a child process over its IPC channel, with answers. */
import type { Child } from "./children.ts";
import { toError } from "../../src/platform/errors.ts";

type Call = { id: number; command: string; input: unknown };
type Answer = { id: number; result?: unknown; error?: string };

type Handler = (input: never) => unknown;
/** The commands of a child, by name. Inputs and results are cloned, including typed arrays. */
export type Commands = Record<string, Handler>;

/** In the child: serves commands until the parent disconnects. */
export function serveCommands(commands: Commands): void {
  process.on("message", (message) => {
    const { id, command, input } = message as Call;
    const handler = commands[command] as ((value: unknown) => unknown) | undefined;
    const work = async (): Promise<unknown> => {
      if (handler === undefined) {
        throw new Error(`No command ${command}`);
      }
      return handler(input);
    };
    work().then(
      (result) => process.send?.({ id, result } satisfies Answer),
      (error: unknown) =>
        process.send?.({ id, error: toError(error).stack ?? "" } satisfies Answer),
    );
  });
  process.on("disconnect", () => process.exit(0));
  process.on("SIGTERM", () => process.exit(0));
  process.on("SIGINT", () => undefined); // the parent decides when to exit
}

type InputOf<H> = H extends (input: infer I) => unknown ? I : never;
type ResultOf<H> = H extends (...input: never[]) => infer R ? Awaited<R> : never;

export type Remote<C extends Commands> = <Name extends keyof C & string>(
  command: Name,
  ...input: unknown extends InputOf<C[Name]> ? [] : [InputOf<C[Name]>]
) => Promise<ResultOf<C[Name]>>;

type Waiting = { resolve: (result: unknown) => void; reject: (error: Error) => void };

/** In the parent: calls the commands of a child. Rejects if the child exits before it answers. */
export function remoteOf<C extends Commands>({ process: child, name }: Child): Remote<C> {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  child.on("message", (message) => {
    const { id, result, error } = message as Answer;
    const call = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) {
      call?.resolve(result);
    } else {
      call?.reject(new Error(`${name}: ${error}`));
    }
  });
  child.once("exit", () => {
    for (const { reject } of waiting.values()) {
      reject(new Error(`${name} ended before it answered`));
    }
  });
  const call = (command: string, input?: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      lastId += 1;
      waiting.set(lastId, { resolve, reject });
      child.send({ id: lastId, command, input } satisfies Call);
    });
  return call as Remote<C>;
}
