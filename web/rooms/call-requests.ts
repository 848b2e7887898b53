/** `join`, `leave` and `end` reach the server one after the other, however often each is repeated. */
import type { AckError } from "../../src/contracts/signalling.ts";
import type { AckOf } from "./signalling/socket.ts";
import type { Signalling } from "./signalling/signalling-client.ts";

type Answer<Type extends "join" | "leave" | "end"> = AckOf<Type> | AckError;

export type CallRequests = Readonly<{
  isJoining(): boolean;
  /** A `join` after `end` would begin another session. */
  isEnding(): boolean;
  /** Out: undefined if this page joins already, or has left before the answer. Then it is not repeated. */
  join(): Promise<Answer<"join"> | undefined>;
  leave(): Promise<void>;
  end(): Promise<Answer<"end">>;
}>;

export function createCallRequests(signalling: Pick<Signalling, "request">): CallRequests {
  let before: Promise<unknown> = Promise.resolve();
  let isEnding = false;
  /** The `join` whose answer counts. */
  let joining: Promise<Answer<"join">> | undefined;

  const ask = <Type extends "join" | "leave" | "end">(
    type: Type,
    isWanted?: () => boolean,
  ): Promise<Answer<Type>> => {
    const run = () => signalling.request(type, {}, isWanted);
    const answered = before.then(run, run);
    before = answered;
    return answered;
  };

  return {
    isJoining: () => joining !== undefined,
    isEnding: () => isEnding,
    join: async () => {
      if (joining !== undefined) {
        return undefined;
      }
      const mine: Promise<Answer<"join">> = ask("join", () => joining === mine);
      joining = mine;
      const answer = await mine;
      if (joining !== mine) {
        return undefined;
      }
      joining = undefined;
      return answer;
    },
    leave: async () => {
      joining = undefined;
      await ask("leave");
    },
    end: async () => {
      isEnding = true;
      const answer = await ask("end");
      isEnding = false;
      return answer;
    },
  };
}
