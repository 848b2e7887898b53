/** The picture with what is drawn on it, as one JPEG of the picture's own size. */
import type { Shape } from "../../../src/contracts/room-messages.ts";
import { toJpeg } from "../media/jpeg.ts";
import { paintShapes } from "./paint-shapes.ts";

/** Throws if the browser cannot read the picture. */
export async function flattenDrawing(
  picture: HTMLImageElement,
  shapes: readonly Shape[],
): Promise<Blob> {
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
  return toJpeg(canvas);
}
