/** The typed socket of the namespace `/rtc`. */
import { io, type Socket } from "socket.io-client";
import type { RoomToServer, ServerToRoom } from "../../../src/contracts/room-messages.ts";
import { signallingPath, type AckError } from "../../../src/contracts/signalling.ts";

export type RoomSocket = Socket<ServerToRoom, RoomToServer>;

export type RequestType = keyof RoomToServer;

export type InputOf<Type extends RequestType> = Parameters<RoomToServer[Type]>[0];

export type AckOf<Type extends RequestType> = Parameters<Parameters<RoomToServer[Type]>[1]>[0];

const answerMs = 6_000;

export const noAnswer: AckError = {
  ok: false,
  error: { kind: "dependency_down", detail: "The platform did not respond." },
};

/** A socket that is not connected yet. `token` is read at each connection. */
export function createSocket(token: () => string): RoomSocket {
  return io("/rtc", {
    path: signallingPath,
    transports: ["websocket"],
    forceNew: true,
    autoConnect: false,
    // A call waits for it: often, and spread out so that a restart of the platform survives it.
    reconnectionDelay: 250,
    reconnectionDelayMax: 2_000,
    auth: (send) => send({ token: token() }),
  });
}

/** Sends a message once. Never rejects: a missing acknowledgement is a refusal, too. */
export async function askOnce<Type extends RequestType>(
  socket: RoomSocket,
  type: Type,
  input: InputOf<Type>,
): Promise<AckOf<Type> | AckError> {
  if (!socket.connected) {
    return noAnswer;
  }
  try {
    // The types of acknowledgements with a time limit are beyond those of socket.io.
    const timed = socket.timeout(answerMs) as unknown as {
      emitWithAck(type: string, value: unknown): Promise<never>;
    };
    return await timed.emitWithAck(type, input);
  } catch {
    return noAnswer;
  }
}

const temporaryKinds = ["rate_limited", "dependency_down", "internal"];

/** Temporary: the same message may be sent again. */
export function isTemporary(ack: Readonly<{ ok: boolean }> | AckError): boolean {
  return !ack.ok && "error" in ack && isTemporaryKind(ack.error.kind);
}

export function isTemporaryKind(kind: string): boolean {
  return temporaryKinds.includes(kind);
}
