import type { BoxMessage } from "../../src/contracts/signalling.ts";

/** A customer's message in the box of ticket 9. */
export function aBoxMessage(id: number, more: Partial<BoxMessage> = {}): BoxMessage {
  return {
    id,
    kind: "ticket",
    destId: 9,
    author: "guest",
    userId: null,
    name: "Jane",
    text: `text ${id}`,
    created: "2026-11-22T10:00:00.000Z",
    clientId: null,
    ...more,
  };
}
