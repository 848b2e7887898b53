/** Where a picture is inside of a box that shows it with `object-fit: contain`. Pure. */
import type { Point } from "../../../src/contracts/room-messages.ts";

export type Size = Readonly<{ width: number; height: number }>;

export type Rect = Size & Readonly<{ left: number; top: number }>;

/** The part of the box that the picture fills. Empty while one of the two has no size. */
export function containedRect(box: Size, picture: Size): Rect {
  if (picture.width <= 0 || picture.height <= 0) {
    return { left: 0, top: 0, width: 0, height: 0 };
  }
  const scale = Math.min(box.width / picture.width, box.height / picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  return { left: (box.width - width) / 2, top: (box.height - height) / 2, width, height };
}

/** A position in the box as a fraction of the picture; undefined beside the picture. */
export function toFraction(position: Point, rect: Rect): Point | undefined {
  if (rect.width <= 0 || rect.height <= 0) {
    return undefined;
  }
  const x = (position.x - rect.left) / rect.width;
  const y = (position.y - rect.top) / rect.height;
  return x < 0 || x > 1 || y < 0 || y > 1 ? undefined : { x, y };
}

/** The same, moved to the edge of the picture: for a line that leaves it. */
export function toNearestFraction(position: Point, rect: Rect): Point {
  return {
    x: clamp((position.x - rect.left) / rect.width),
    y: clamp((position.y - rect.top) / rect.height),
  };
}

function clamp(value: number): number {
  return Number.isNaN(value) ? 0 : Math.min(1, Math.max(0, value));
}

/** A fraction of the picture as a position in the box. */
export function toPosition({ x, y }: Point, rect: Rect): Point {
  return { x: rect.left + x * rect.width, y: rect.top + y * rect.height };
}
