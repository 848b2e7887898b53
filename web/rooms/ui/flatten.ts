/** The picture with what is drawn on it, as one JPEG of the picture's own size. */
import type { Shape } from "../../../src/contracts/room-messages.ts";
import { compactShape, type Board } from "../board-shapes.ts";
import { toJpeg } from "../media/jpeg.ts";
import { addJpegComment } from "./jpeg-comment.ts";
import { paintShapes } from "./paint-shapes.ts";

/**
 * The JPEG has the shapes as JSON in its comment, so that another program can draw them again on the
 * photo. Throws if the browser cannot read the picture.
 */
export async function flattenDrawing(
  picture: HTMLImageElement,
  { mediaId, shapes }: Board,
): Promise<Blob> {
  const jpeg = await toJpeg(paintDrawing(picture, shapes));
  const bytes = new Uint8Array(await jpeg.arrayBuffer());
  const drawing = { mediaId, shapes: shapes.map(compactShape) };
  return addJpegComment(bytes, JSON.stringify({ drawing }));
}

function paintDrawing(picture: HTMLImageElement, shapes: readonly Shape[]): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  const [width, height] = [picture.naturalWidth, picture.naturalHeight];
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (context === null) {
    throw new Error("The browser cannot draw.");
  }
  context.drawImage(picture, 0, 0);
  paintShapes(context, shapes, { left: 0, top: 0, width, height });
  return canvas;
}
