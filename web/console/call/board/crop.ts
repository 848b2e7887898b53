/** A rectangle on a picture that is shown smaller than it is. Pure. */
export type Crop = Readonly<{ left: number; top: number; width: number; height: number }>;

type Position = Readonly<{ x: number; y: number }>;

export type ShownPicture = Readonly<{
  /** As shown, in CSS pixels. */
  width: number;
  height: number;
  naturalWidth: number;
  naturalHeight: number;
}>;

/** Smaller rectangles are clicks. */
const minPixels = 8;

/** The rectangle between two positions on the shown picture, in CSS pixels. */
export function cropBetween(from: Position, to: Position, shown: ShownPicture): Crop | undefined {
  const [left, right] = range(from.x, to.x, shown.width);
  const [top, bottom] = range(from.y, to.y, shown.height);
  const crop = { left, top, width: right - left, height: bottom - top };
  return crop.width < minPixels || crop.height < minPixels ? undefined : crop;
}

function range(a: number, b: number, max: number): [start: number, end: number] {
  const clamp = (value: number): number => Math.min(max, Math.max(0, value));
  return [clamp(Math.min(a, b)), clamp(Math.max(a, b))];
}

/** The same rectangle in the pixels of the picture itself. */
export function toPixels(crop: Crop, shown: ShownPicture): Crop {
  const [byX, byY] = [shown.naturalWidth / shown.width, shown.naturalHeight / shown.height];
  const [left, top] = [Math.floor(crop.left * byX), Math.floor(crop.top * byY)];
  return {
    left,
    top,
    width: Math.max(1, Math.min(shown.naturalWidth - left, Math.round(crop.width * byX))),
    height: Math.max(1, Math.min(shown.naturalHeight - top, Math.round(crop.height * byY))),
  };
}
