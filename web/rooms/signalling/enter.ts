/** The first message of each connection: `hello`, or `knock` for a guest who waits. */
import type { AdmissionStatus, RoomHello } from "../../../src/contracts/room-messages.ts";
import { repeat } from "../repeat.ts";
import { askOnce, isTemporary, type RoomSocket } from "./socket.ts";
import { isWaitingToken } from "./token.ts";

export type EnterResult =
  | Readonly<{ outcome: "entered"; hello: RoomHello }>
  | Readonly<{ outcome: "waiting"; status: AdmissionStatus }>
  | Readonly<{ outcome: "refused"; kind: string }>
  /** The connection was lost: the next one asks again. */
  | Readonly<{ outcome: "lost" }>;

export type EnterInput = Readonly<{
  token: string;
  resume: string | undefined;
  after: number | undefined;
}>;

/** The server closes a connection without `hello` after 30 s. */
const limitMs = 25_000;

export async function enter(socket: RoomSocket, input: EnterInput): Promise<EnterResult> {
  const connection = socket.id;
  const options = { limitMs, isWanted: () => socket.connected && socket.id === connection };
  const isWaiting = isWaitingToken(input.token);
  const ack = isWaiting
    ? await repeat(() => askOnce(socket, "knock", {}), isTemporary, options)
    : await repeat(() => askOnce(socket, "hello", helloOf(input)), isTemporary, options);
  if (!options.isWanted()) {
    return { outcome: "lost" };
  }
  if (!ack.ok) {
    return { outcome: "refused", kind: ack.error.kind };
  }
  return "status" in ack
    ? { outcome: "waiting", status: ack.status }
    : { outcome: "entered", hello: ack };
}

function helloOf({ resume, after }: EnterInput): { resume?: string; after?: number } {
  return {
    ...(resume === undefined ? {} : { resume }),
    ...(after === undefined ? {} : { after }),
  };
}
