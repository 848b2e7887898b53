/**
 * Shapes over a video or a photo that its box shows with `object-fit: contain`, and the tools that
 * draw them. Fills its positioned parent.
 */
import { useEffect, useRef, type ReactNode } from "react";
import type { Point, Shape } from "../../../src/contracts/room-messages.ts";
import styles from "./drawing-canvas.module.css";
import { containedRect, toPosition, type Rect, type Size } from "./letterbox.ts";
import { paintShapes } from "./paint-shapes.ts";
import { TextField } from "./text-field.tsx";
import { useBoxSize } from "./use-box-size.ts";
import { useDrawing, type DrawingInput } from "./use-drawing.ts";

export type DrawingCanvasProps = DrawingInput &
  Readonly<{
    /** The size of the picture below; undefined while it is not known. */
    picture: Size | undefined;
    /** Where somebody else points. */
    pointer?: Point | undefined;
    /** What the drawing is called, and the field for a text. */
    labels: Readonly<{ drawing: string; text: string }>;
  }>;

export function DrawingCanvas(props: DrawingCanvasProps): ReactNode {
  const { picture, shapes, pointer, tool, onPoint, labels } = props;
  const box = useRef<HTMLDivElement>(null);
  const size = useBoxSize(box);
  const rect = containedRect(size, picture ?? size);
  const { handlers, textAt, finishText } = useDrawing(props, rect);
  const isActive = tool !== undefined || onPoint !== undefined;
  return (
    <div
      ref={box}
      className={styles.box}
      data-drawing={tool === undefined ? undefined : ""}
      data-passive={isActive ? undefined : ""}
    >
      <ShapesCanvas size={size} rect={rect} shapes={shapes} label={labels.drawing} {...handlers} />
      {pointer === undefined ? null : <PointerDot point={pointer} rect={rect} />}
      {textAt === undefined ? null : (
        <TextField
          key={`${textAt.x} ${textAt.y}`}
          position={toPosition(textAt, rect)}
          label={labels.text}
          onDone={finishText}
        />
      )}
    </div>
  );
}

type ShapesCanvasProps = Readonly<{
  size: Size;
  rect: Rect;
  shapes: readonly Shape[];
  label: string;
}> &
  ReturnType<typeof useDrawing>["handlers"];

function ShapesCanvas({ size, rect, shapes, label, ...handlers }: ShapesCanvasProps): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (context === null || context === undefined) {
      return;
    }
    const ratio = window.devicePixelRatio;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, size.width, size.height);
    paintShapes(context, shapes, rect);
  });
  return (
    <canvas
      ref={canvas}
      className={styles.canvas}
      role="img"
      aria-label={label}
      width={Math.round(size.width * window.devicePixelRatio)}
      height={Math.round(size.height * window.devicePixelRatio)}
      {...handlers}
    />
  );
}

function PointerDot({ point, rect }: Readonly<{ point: Point; rect: Rect }>): ReactNode {
  const { x, y } = toPosition(point, rect);
  return <div className={styles.pointer} data-testid="pointer" style={{ left: x, top: y }} />;
}
