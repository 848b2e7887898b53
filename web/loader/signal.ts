/** The server connection. Reconnects while the token is valid. */
import { io, type Socket } from "socket.io-client";
import {
  signallingPath,
  type AgentToServer,
  type PresenceState,
  type AckError,
  type ServerToAgent,
} from "../../src/contracts/signalling.ts";

import { isTransient } from "./retry.ts";

type InputOf<Type extends keyof AgentToServer> = Parameters<AgentToServer[Type]>[0];

type AckOf<Type extends keyof AgentToServer> = Parameters<Parameters<AgentToServer[Type]>[1]>[0];

/** Never rejects: a time-out is an error result. */
export type Ask = <Type extends keyof AgentToServer>(
  type: Type,
  input: InputOf<Type>,
) => Promise<AckOf<Type> | AckError>;

export type SignalHandlers = Readonly<{
  /** Called on every connect, the first one included. */
  onConnect(): void;
  onLost(): void;
  /** Called when it will not reconnect. */
  onEnd(reason: string): void;
  message: ServerToAgent["message"];
  presence: ServerToAgent["presence"];
  state: ServerToAgent["state"];
  call: ServerToAgent["call"];
}>;

export type Signal = Readonly<{
  ask: Ask;
  isConnected(): boolean;
  close(): void;
}>;

export type Claim = Readonly<{
  apiKey: string;
  userId: number;
  token: string;
  /** The last presence state, so that a hidden user stays hidden after a reconnect. */
  state(): PresenceState | undefined;
}>;

type Typed = Socket<ServerToAgent, AgentToServer>;

const answerMs = 10_000;

const noAnswer: AckError = {
  ok: false,
  error: { kind: "dependency_down", detail: "The platform did not respond." },
};

export function openSignal(root: string, claim: Claim, handlers: SignalHandlers): Signal {
  let isClosed = false;
  const socket: Typed = io(`${root}/agent`, {
    path: signallingPath,
    transports: ["websocket"],
    forceNew: true,
    reconnectionDelay: 500,
    reconnectionDelayMax: 10_000,
    auth: (give) => {
      const { apiKey, userId, token } = claim;
      const state = claim.state();
      give(state === undefined ? { apiKey, userId, token } : { apiKey, userId, token, state });
    },
  });
  const end = (reason: string): void => {
    if (!isClosed) {
      isClosed = true;
      socket.disconnect();
      handlers.onEnd(reason);
    }
  };
  socket.on("connect", handlers.onConnect);
  socket.on("disconnect", () => {
    if (!isClosed) {
      handlers.onLost();
    }
  });
  socket.on("over", () => end("The access token has expired."));
  socket.on("message", handlers.message);
  socket.on("presence", handlers.presence);
  socket.on("state", handlers.state);
  socket.on("call", handlers.call);
  followRefusals(socket, { onEnd: end }, () => isClosed);
  return {
    ask: async (type, input) => {
      if (!socket.connected) {
        return noAnswer;
      }
      try {
        // socket.io's types do not support acknowledgements with a time-out.
        const timed = socket.timeout(answerMs) as unknown as {
          emitWithAck(type: string, value: unknown): Promise<never>;
        };
        return await timed.emitWithAck(type, input);
      } catch {
        return noAnswer;
      }
    },
    isConnected: () => socket.connected,
    close: () => {
      isClosed = true;
      socket.disconnect();
    },
  };
}

const againMs = 5_000;

function followRefusals(
  socket: Typed,
  { onEnd }: Pick<SignalHandlers, "onEnd">,
  isClosed: () => boolean,
): void {
  socket.on("connect_error", (error: Error & { data?: { kind: string; detail: string } }) => {
    const { data } = error;
    if (socket.active || isClosed()) {
      return; // a network error: socket.io retries
    }
    // Retry, because dead connections count towards the quota for up to 20 s.
    const mayPass = data === undefined || data.kind === "quota_reached" || isTransient(data.kind);
    if (data !== undefined && !mayPass) {
      onEnd(data.detail);
      return;
    }
    setTimeout(() => {
      if (!isClosed()) {
        socket.connect();
      }
    }, againMs);
  });
}
