/** Draws shapes into a 2D context: on the page, and into the picture that is stored. */
import type { Point, Shape } from "../../../src/contracts/room-messages.ts";
import { toPosition, type Rect } from "./letterbox.ts";

export function paintShapes(
  context: CanvasRenderingContext2D,
  shapes: readonly Shape[],
  rect: Rect,
): void {
  for (const shape of shapes) {
    const points = shape.points.map((point) => toPosition(point, rect));
    const [first] = points;
    const last = points[points.length - 1];
    if (first !== undefined && last !== undefined) {
      context.save();
      paintShape(context, shape, { points, first, last, unit: unitOf(rect) });
      context.restore();
    }
  }
}

type Placed = Readonly<{ points: readonly Point[]; first: Point; last: Point; unit: number }>;

/** Sizes are relative to the picture, so that they are equal on all screens. */
function unitOf({ width, height }: Rect): number {
  return Math.max(width, height) / 300;
}

function paintShape(context: CanvasRenderingContext2D, shape: Shape, placed: Placed): void {
  context.strokeStyle = shape.color;
  context.fillStyle = shape.color;
  context.lineCap = "round";
  context.lineJoin = "round";
  context.lineWidth = placed.unit * 1.5;
  switch (shape.tool) {
    case "pen":
      paintLine(context, placed.points);
      break;
    case "highlighter":
      context.globalAlpha = 0.4;
      context.lineWidth = placed.unit * 7;
      paintLine(context, placed.points);
      break;
    case "arrow":
      paintArrow(context, placed, shape);
      break;
    case "circle":
      paintEllipse(context, placed);
      break;
    case "text":
      paintText(context, placed, shape);
      break;
  }
}

function paintLine(context: CanvasRenderingContext2D, points: readonly Point[]): void {
  context.beginPath();
  for (const { x, y } of points) {
    context.lineTo(x, y);
  }
  const [only] = points;
  if (points.length === 1 && only !== undefined) {
    context.lineTo(only.x, only.y); // a dot
  }
  context.stroke();
}

function paintArrow(
  context: CanvasRenderingContext2D,
  { first, last, unit }: Placed,
  { color, number }: Shape,
): void {
  const angle = Math.atan2(last.y - first.y, last.x - first.x);
  const side = (turn: number): Point => ({
    x: last.x - Math.cos(angle + turn) * unit * 7,
    y: last.y - Math.sin(angle + turn) * unit * 7,
  });
  paintLine(context, [first, last]);
  paintLine(context, [side(0.5), last, side(-0.5)]);
  if (number !== undefined) {
    context.font = `bold ${unit * 7}px sans-serif`;
    paintNumber(context, { first, unit }, { color, number });
  }
}

function paintNumber(
  context: CanvasRenderingContext2D,
  { first, unit }: Pick<Placed, "first" | "unit">,
  { color, number }: Readonly<{ color: string; number: number }>,
): void {
  context.beginPath();
  context.arc(first.x, first.y, unit * 5, 0, 2 * Math.PI);
  context.fill();
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = isLight(color) ? "#000000" : "#ffffff";
  context.fillText(String(number), first.x, first.y);
}

function isLight(color: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    parseInt(color.slice(at, at + 2), 16),
  );
  return red * 0.299 + green * 0.587 + blue * 0.114 > 150;
}

function paintEllipse(context: CanvasRenderingContext2D, { first, last }: Placed): void {
  const [radiusX, radiusY] = [Math.abs(last.x - first.x) / 2, Math.abs(last.y - first.y) / 2];
  const [x, y] = [(first.x + last.x) / 2, (first.y + last.y) / 2];
  context.beginPath();
  context.ellipse(x, y, radiusX, radiusY, 0, 0, 2 * Math.PI);
  context.stroke();
}

/** With an outline, so that it can be read on any picture. */
function paintText(
  context: CanvasRenderingContext2D,
  { first, unit }: Placed,
  { text = "", color }: Shape,
): void {
  context.font = `bold ${unit * 10}px sans-serif`;
  context.textBaseline = "top";
  context.lineWidth = unit * 2;
  context.strokeStyle = isLight(color) ? "#000000" : "#ffffff";
  context.strokeText(text, first.x, first.y);
  context.fillText(text, first.x, first.y);
}
