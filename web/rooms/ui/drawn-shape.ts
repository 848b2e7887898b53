/** A shape while it is drawn. Pure. */
import type { DrawTool, Point, Shape } from "../../../src/contracts/room-messages.ts";

export type NewShape = Readonly<{ id: string; tool: DrawTool; color: string; point: Point }>;

export function beginShape({ id, tool, color, point }: NewShape, shapes: readonly Shape[]): Shape {
  const points = tool === "arrow" || tool === "circle" ? [point, point] : [point];
  const shape = { id, tool, color, points };
  return tool === "arrow" ? { ...shape, number: nextNumber(shapes) } : shape;
}

function nextNumber(shapes: readonly Shape[]): number {
  return shapes.reduce((highest, { number = 0 }) => Math.max(highest, number), 0) + 1;
}

/** Of the picture's width or height: a smaller step is no new point. */
const minStep = 0.002;

/** A line gets longer; arrow and circle reach to the point. */
export function growShape(shape: Shape, point: Point): Shape {
  const [first] = shape.points;
  const last = shape.points[shape.points.length - 1];
  if (first === undefined || last === undefined || shape.tool === "text") {
    return shape;
  }
  if (Math.abs(point.x - last.x) < minStep && Math.abs(point.y - last.y) < minStep) {
    return shape;
  }
  const isLine = shape.tool === "pen" || shape.tool === "highlighter";
  return { ...shape, points: isLine ? [...shape.points, point] : [first, point] };
}

/** Too small to be meant: a click without a movement. */
export function isVisible({ tool, points, text }: Shape): boolean {
  if (tool === "text") {
    return (text ?? "").trim() !== "";
  }
  const [first, second] = [points[0], points[points.length - 1]];
  const isLine = tool === "pen" || tool === "highlighter";
  return (
    isLine ||
    (first !== undefined &&
      second !== undefined &&
      Math.hypot(second.x - first.x, second.y - first.y) > 0.01)
  );
}
