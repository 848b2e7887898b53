/** What a change does to the drawing board. Pure. */
import type { BoardChange, Point, Shape } from "../../src/contracts/room-messages.ts";

/** A photo frozen for both, with what is drawn on it. */
export type Board = Readonly<{ mediaId: number; shapes: readonly Shape[] }>;

/** Changes of a board that is closed change nothing. */
export function applyChange(board: Board | undefined, change: BoardChange): Board | undefined {
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
  change: Extract<BoardChange, { op: "put" | "remove" | "clear" }>,
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

/** Of a message, with room for what surrounds the shapes; the server refuses more than 64 KB. */
const maxOpenChars = 40_000;

/** The changes that bring somebody else's board to this one: one message, or several for a large one. */
export function changesTo({ mediaId, shapes }: Board): readonly BoardChange[] {
  let chars = 0;
  const isFirst = (shape: Shape): boolean => {
    chars += JSON.stringify(shape).length;
    return chars <= maxOpenChars;
  };
  const first = shapes.filter(isFirst);
  const rest = shapes.filter((shape) => !first.includes(shape));
  return [
    { op: "open", mediaId, shapes: first },
    ...rest.map((shape) => ({ op: "put", shape }) as const),
  ];
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
