/** Answers a position request. */
import type { CommandResult } from "../../src/contracts/room-messages.ts";
import type { Position, RoomApi } from "./api.ts";
import type { RoomView } from "./room.ts";
import type { Store } from "./store.ts";

export type FoundPosition = Position | "denied" | "failed" | "unsupported";

type PositionTools = Readonly<{
  api: Pick<RoomApi, "answerPosition">;
  store: Pick<Store, "update">;
  find(): Promise<FoundPosition>;
}>;

/**
 * The browser asks the person, unless they have allowed it before. So the page shows what happens in
 * either case. A refusal is an answer, too.
 */
export async function answerPositionRequest(
  { api, store, find }: PositionTools,
  requestId: string,
): Promise<CommandResult> {
  store.update({ position: "asked" });
  let position: RoomView["position"];
  try {
    const found = await find();
    const isFound = typeof found === "object";
    await api.answerPosition(requestId, isFound ? found : null);
    position = isFound ? "sent" : undefined;
    return isFound ? { ok: true } : { ok: false, reason: found };
  } finally {
    store.update({ position });
  }
}
