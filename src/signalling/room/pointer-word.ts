/**
 * A pointer as a word of a wake-up: ten movements per second are worth neither rows nor reads, and
 * are worth nothing later. Pure.
 */
import type { ServerToRoom } from "../../contracts/room-messages.ts";
import type { RoomRef } from "../../contracts/rooms.ts";

export type PointerPayload = Parameters<ServerToRoom["pointer"]>[0];

/** A hundred thousandth of a picture is less than any pixel. */
const scale = 100_000;

const hidden = "-";

/** `pointer:3:12:<id of the page, without dashes>:25000:50000`: at most 90 characters. */
export function presentPointer(
  { enterpriseId, conversationId }: RoomRef,
  { from, point }: PointerPayload,
): string {
  const place = point === null ? [hidden] : [point.x, point.y].map((at) => Math.round(at * scale));
  return ["pointer", enterpriseId, conversationId, from.replaceAll("-", ""), ...place].join(":");
}

/** In: the parts after `pointer`. */
export function parsePointer([
  enterpriseId,
  conversationId,
  from = "",
  x,
  y,
]: readonly string[]): Readonly<{ room: RoomRef; payload: PointerPayload }> {
  return {
    room: { enterpriseId: Number(enterpriseId), conversationId: Number(conversationId) },
    payload: {
      from: from.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, "$1-$2-$3-$4-$5"),
      point: x === hidden ? null : { x: Number(x) / scale, y: Number(y) / scale },
    },
  };
}
