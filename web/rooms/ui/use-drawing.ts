/** What a pointer does on the drawing canvas. */
import { useRef, useState, type PointerEvent } from "react";
import type { DrawTool, Point, Shape } from "../../../src/contracts/room-messages.ts";
import { newId } from "../../shared/new-id.ts";
import { beginShape, growShape, isVisible } from "./drawn-shape.ts";
import { toFraction, toNearestFraction, type Rect } from "./letterbox.ts";

type CanvasEvent = PointerEvent<HTMLCanvasElement>;

export type Drawing = Readonly<{
  handlers: Readonly<{
    onPointerDown: (event: CanvasEvent) => void;
    onPointerMove: (event: CanvasEvent) => void;
    onPointerUp: (event: CanvasEvent) => void;
    onPointerCancel: (event: CanvasEvent) => void;
    onPointerLeave: () => void;
  }>;
  /** Where a text is being typed. */
  textAt: Point | undefined;
  finishText: (text: string) => void;
}>;

export type DrawingInput = Readonly<{
  shapes: readonly Shape[];
  /** Undefined: nothing can be drawn. */
  tool?: DrawTool | undefined;
  /** `#rrggbb`. */
  color?: string;
  /** A shape was begun or grew. */
  onShape?: (shape: Shape) => void;
  /** A shape was only a click: it has to go. */
  onDiscard?: (id: string) => void;
  /** This person points; null: beside the picture. */
  onPoint?: (point: Point | null) => void;
}>;

export function useDrawing(input: DrawingInput, rect: Rect): Drawing {
  const { shapes, tool, color = "#e6003c", onShape, onDiscard, onPoint } = input;
  const drawn = useRef<Shape | undefined>(undefined);
  const [text, setText] = useState<Shape | undefined>(undefined);

  const begin = (event: CanvasEvent): void => {
    const point = toFraction(positionOf(event), rect);
    if (point === undefined || tool === undefined || !event.isPrimary || event.button !== 0) {
      return;
    }
    event.preventDefault(); // the field of a text keeps the focus
    const shape = beginShape({ id: newId(), tool, color, point }, shapes);
    if (tool === "text") {
      (document.activeElement as HTMLElement).blur(); // finishes a text that is still open
      setText(shape);
      return;
    }
    event.currentTarget.setPointerCapture(event.pointerId);
    drawn.current = shape;
    onShape?.(shape);
  };
  const grow = (event: CanvasEvent): void => {
    const position = positionOf(event);
    onPoint?.(toFraction(position, rect) ?? null);
    const shape = drawn.current;
    if (shape !== undefined && event.isPrimary) {
      const grown = growShape(shape, toNearestFraction(position, rect));
      if (grown !== shape) {
        drawn.current = grown;
        onShape?.(grown);
      }
    }
  };
  const finish = (event: CanvasEvent): void => {
    const shape = drawn.current;
    if (shape !== undefined && event.isPrimary) {
      drawn.current = undefined;
      if (!isVisible(shape)) {
        onDiscard?.(shape.id);
      }
    }
  };
  return {
    handlers: {
      onPointerDown: begin,
      onPointerMove: grow,
      onPointerUp: finish,
      onPointerCancel: finish,
      onPointerLeave: () => onPoint?.(null),
    },
    textAt: text?.points[0],
    finishText: (written) => {
      setText(undefined);
      const shape = text === undefined ? undefined : { ...text, text: written.trim() };
      if (shape !== undefined && isVisible(shape)) {
        onShape?.(shape);
      }
    },
  };
}

/** In the canvas, in CSS pixels. */
function positionOf({ clientX, clientY, currentTarget }: CanvasEvent): Point {
  const { left, top } = currentTarget.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}
