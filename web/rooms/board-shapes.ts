/** Applies a change to the drawing board. Pure. */
import type { BoardChange, BoardState, Point, Shape } from "../../src/contracts/room-messages.ts";

/** A photo frozen for both, with what is drawn on it. */
export type Board = Readonly<{ mediaId: number; shapes: readonly Shape[] }>;

export type SingleChange = Exclude<BoardChange, BoardState>;

/** Changes to a closed board are ignored. */
export function applyChange(board: Board | undefined, change: SingleChange): Board | undefined {
  if (change.op === "open") {
    return { mediaId: change.mediaId, shapes: change.shapes };
  }
  if (board === undefined || change.op === "close") {
    return undefined;
  }
  return { ...board, shapes: applyToShapes(board.shapes, change) };
}

function applyToShapes(
  shapes: readonly Shape[],
  change: Extract<SingleChange, { op: "put" | "remove" | "clear" }>,
): readonly Shape[] {
  if (change.op === "clear") {
    return [];
  }
  if (change.op === "remove") {
    return shapes.filter(({ id }) => id !== change.id);
  }
  const { shape } = change;
  return shapes.some(({ id }) => id === shape.id)
    ? shapes.map((one) => (one.id === shape.id ? shape : one))
    : [...shapes, shape];
}

/** Size limit of the shapes in a message; the server refuses messages above 64 KB. */
const maxOpenChars = 40_000;

/** Shapes that fit into one message, and those that need one each. */
export function splitShapes(
  shapes: readonly Shape[],
): Readonly<{ first: readonly Shape[]; rest: readonly Shape[] }> {
  let chars = 0;
  const count = shapes.findIndex((shape) => {
    chars += JSON.stringify(shape).length;
    return chars > maxOpenChars;
  });
  const first = count === -1 ? shapes : shapes.slice(0, count);
  return { first, rest: shapes.slice(first.length) };
}

export type Merge = Readonly<{
  mine: readonly Shape[];
  theirs: readonly Shape[];
  /** Drawn by this page, which knows them best. */
  own: ReadonlySet<string>;
  removed: ReadonlySet<string>;
  /** Their order counts. */
  isTheirOrder: boolean;
}>;

/** The same shapes in the same order on both sides, once each has got those of the other. */
export function mergeShapes({ mine, theirs, own, removed, isTheirOrder }: Merge): Shape[] {
  const [first, second] = isTheirOrder ? [theirs, mine] : [mine, theirs];
  const known = new Set(first.map(({ id }) => id));
  const latest = new Map(theirs.map((shape) => [shape.id, shape]));
  mine.filter(({ id }) => own.has(id) || !latest.has(id)).forEach((one) => latest.set(one.id, one));
  return [...first, ...second.filter(({ id }) => !known.has(id))]
    .filter(({ id }) => !removed.has(id))
    .map((shape) => latest.get(shape.id) ?? shape);
}

const maxPoints = 200;

/** A shape as it is sent: within the picture, in at most 200 points of four digits. */
export function compactShape(shape: Shape): Shape {
  const { points } = shape;
  const step = points.length > maxPoints ? (points.length - 1) / (maxPoints - 1) : 1;
  const count = Math.min(points.length, maxPoints);
  const kept = Array.from({ length: count }, (_, index) => points[Math.round(index * step)]);
  return { ...shape, points: kept.filter((point) => point !== undefined).map(compactPoint) };
}

export function compactPoint({ x, y }: Point): Point {
  return { x: compactNumber(x), y: compactNumber(y) };
}

function compactNumber(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000;
}
