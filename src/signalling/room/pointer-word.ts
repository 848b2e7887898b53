/**
 * Encodes a pointer position in a wake-up topic. Pages send ten per second and each replaces the
 * previous one: not worth a row and a read. Pure.
 */
import type { ServerToRoom } from "../../contracts/room-messages.ts";
import type { RoomRef } from "../../contracts/rooms.ts";

export type PointerPayload = Parameters<ServerToRoom["pointer"]>[0];

/** Finer than one pixel of any picture. */
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

/** In: the topic's parts after `pointer`. */
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
