/**
 * The connection of a page to the signalling. It comes back by itself, says `hello` again with the id
 * that it had, and asks for a fresh token once when the present one ended.
 */
import type {
  AdmissionStatus,
  RoomHello,
  ServerToRoom,
} from "../../../src/contracts/room-messages.ts";
import type { AckError } from "../../../src/contracts/signalling.ts";
import { realClock, repeat } from "../repeat.ts";
import type { RoomView } from "../room.ts";
import { enter, type EnterResult } from "./enter.ts";
import {
  askOnce,
  createSocket,
  isTemporary,
  isTemporaryKind,
  noAnswer,
  type AckOf,
  type InputOf,
  type RequestType,
  type RoomSocket,
} from "./socket.ts";

export type OverReason = NonNullable<RoomView["overReason"]>;

export type SignallingOptions = Readonly<{
  token: string;
  renewToken: (() => Promise<string>) | undefined;
  /** For the chat that was missed: the id after which messages are wanted. */
  after(): number | undefined;
  /** The connection is usable. `isResumed`: the others did not see it leave. */
  onHello(hello: RoomHello, isResumed: boolean): void;
  onLost(): void;
  onAdmission(status: AdmissionStatus): void;
  onOver(reason: OverReason): void;
}>;

/** What the parts of a room use of it. */
export type Signalling = Pick<SignallingClient, "send" | "request" | "on" | "isReady" | "token">;

/** As long as a page may be away without losing its place, docs/api/signalling.md. */
const requestMs = 20_000;

const againMs = 3_000;

export class SignallingClient {
  readonly #options: SignallingOptions;
  readonly #socket: RoomSocket;
  #token: string;
  #peerId: string | undefined;
  /** `hello` was answered on this connection. */
  #isReady = false;
  #isClosed = false;
  /** The token was renewed and has not been accepted since. */
  #isRenewed = false;

  constructor(options: SignallingOptions) {
    this.#options = options;
    this.#token = options.token;
    this.#socket = createSocket(() => this.#token);
    this.#follow();
  }

  /** A guest who waits asks again. */
  connect(token: string = this.#token): void {
    this.#token = token;
    if (this.#socket.connected && !this.#isReady) {
      void this.#enter();
    } else {
      this.#socket.connect();
    }
  }

  /** Sends once; for messages that are useless later. */
  async send<Type extends RequestType>(
    type: Type,
    input: InputOf<Type>,
  ): Promise<AckOf<Type> | AckError> {
    return this.#isReady ? askOnce(this.#socket, type, input) : noAnswer;
  }

  /**
   * Waits for the connection and retries without an acknowledgement, as long as it is wanted; for
   * idempotent messages.
   */
  request<Type extends RequestType>(
    type: Type,
    input: InputOf<Type>,
    isWanted = () => true,
  ): Promise<AckOf<Type> | AckError> {
    return repeat(() => this.send(type, input), isTemporary, {
      limitMs: requestMs,
      maxMs: 1_500,
      isWanted: () => !this.#isClosed && isWanted(),
    });
  }

  on<Type extends keyof ServerToRoom>(type: Type, listener: ServerToRoom[Type]): void {
    // The union of listeners is beyond the types of socket.io.
    (this.#socket as { on(type: string, listener: unknown): unknown }).on(type, listener);
  }

  isReady(): boolean {
    return this.#isReady;
  }

  /** The room token that is used now. */
  token(): string {
    return this.#token;
  }

  close(): void {
    this.#isClosed = true;
    this.#isReady = false;
    this.#socket.disconnect();
  }

  #follow(): void {
    const socket = this.#socket;
    socket.on("connect", () => void this.#enter());
    socket.on("disconnect", (reason) => {
      const wasReady = this.#isReady;
      this.#isReady = false;
      // A waiting guest was not ready, and loses nothing by being admitted over another connection.
      if ((wasReady || reason !== "io client disconnect") && !this.#isClosed) {
        this.#options.onLost();
      }
      // After all other reasons socket.io connects again by itself.
      if (reason === "io server disconnect" && !this.#isRenewed) {
        void this.#reconnect();
      }
    });
    socket.on("connect_error", (error: Error & { data?: { kind: string } }) => {
      if (!socket.active) {
        void this.#onRefused(error.data?.kind);
      }
    });
    socket.on("over", ({ reason }) => {
      if (reason === "token") {
        void this.#renew();
      } else {
        this.#end(reason);
      }
    });
    socket.on("admission", ({ status, token }) => {
      this.#options.onAdmission(status);
      if (token !== undefined) {
        this.#connectWith(token);
      }
    });
  }

  async #enter(): Promise<void> {
    const [token, resume, after] = [this.#token, this.#peerId, this.#options.after()];
    const result = await enter(this.#socket, { token, resume, after });
    if (!this.#isClosed) {
      this.#onEntered(result);
    }
  }

  #onEntered(result: EnterResult): void {
    if (result.outcome === "entered") {
      const { self, peers } = result.hello;
      const formerId = this.#peerId;
      this.#peerId = self.id;
      this.#isReady = true;
      this.#isRenewed = false;
      // After an outage the server may still list this page under the id that it had before.
      const others = peers.filter(({ id }) => id !== formerId);
      this.#options.onHello({ ...result.hello, peers: others }, formerId === self.id);
    } else if (result.outcome === "waiting") {
      this.#isRenewed = false;
      this.#options.onAdmission(result.status);
    } else if (result.outcome === "refused") {
      this.#socket.disconnect();
      void this.#onRefused(result.kind);
    }
  }

  async #onRefused(kind: string | undefined): Promise<void> {
    if (this.#isClosed) {
      return;
    }
    // Pages whose loss is not noticed yet count as open, for 20 s.
    if (kind === undefined || kind === "quota_reached" || isTemporaryKind(kind)) {
      await this.#reconnect();
    } else if (kind === "bad_token") {
      await this.#renew();
    } else {
      this.#end(kind === "gone" ? "room" : "refused");
    }
  }

  async #reconnect(): Promise<void> {
    await realClock.wait(againMs);
    if (!this.#isClosed) {
      this.#socket.connect();
    }
  }

  async #renew(): Promise<void> {
    const { renewToken } = this.#options;
    if (renewToken === undefined || this.#isRenewed) {
      this.#end("token");
      return;
    }
    this.#isRenewed = true;
    try {
      this.#connectWith(await renewToken());
    } catch {
      this.#end("token");
    }
  }

  #connectWith(token: string): void {
    if (!this.#isClosed) {
      this.#token = token;
      this.#socket.disconnect();
      this.#socket.connect();
    }
  }

  #end(reason: OverReason): void {
    if (!this.#isClosed) {
      this.close();
      this.#options.onOver(reason);
    }
  }
}
