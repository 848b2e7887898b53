/** `join`, `leave` and `end` reach the server one after the other, however often each is repeated. */
import type { AckError } from "../../src/contracts/signalling.ts";
import type { AckOf } from "./signalling/socket.ts";
import type { Signalling } from "./signalling/signalling-client.ts";

type Requests = Pick<Signalling, "request">;

type Answer<Type extends "join" | "leave" | "end"> = AckOf<Type> | AckError;

export class CallRequests {
  readonly #signalling: Requests;
  #before: Promise<unknown> = Promise.resolve();
  #isJoining = false;
  #isEnding = false;
  #lastJoin = 0;

  constructor(signalling: Requests) {
    this.#signalling = signalling;
  }

  isJoining(): boolean {
    return this.#isJoining;
  }

  /** A `join` after `end` would begin another session. */
  isEnding(): boolean {
    return this.#isEnding;
  }

  /** Out: undefined if this page joins already, or has left before the answer. */
  async join(): Promise<Answer<"join"> | undefined> {
    if (this.#isJoining) {
      return undefined;
    }
    this.#isJoining = true;
    const number = (this.#lastJoin += 1);
    const answer = await this.#ask("join");
    if (number !== this.#lastJoin) {
      return undefined;
    }
    this.#isJoining = false;
    return answer;
  }

  async leave(): Promise<void> {
    this.#isJoining = false;
    this.#lastJoin += 1;
    await this.#ask("leave");
  }

  async end(): Promise<Answer<"end">> {
    this.#isEnding = true;
    const answer = await this.#ask("end");
    this.#isEnding = false;
    return answer;
  }

  #ask<Type extends "join" | "leave" | "end">(type: Type): Promise<Answer<Type>> {
    const run = () => this.#signalling.request(type, {});
    const answered = this.#before.then(run, run);
    this.#before = answered;
    return answered;
  }
}
