/** How many columns a number of tiles needs, so that they are as large as possible. Pure. */
import type { Size } from "../../rooms/ui/letterbox.ts";

export type GridShape = Readonly<{ columns: number; rows: number; tile: Size }>;

/** The limits of a tile's aspect ratio, to which a picture is cropped. */
const widest = 16 / 9;

const narrowest = 1;

export function gridFor(count: number, box: Size, gap: number): GridShape {
  const shapes = Array.from({ length: Math.max(1, count) }, (_, index) =>
    shapeWith(index + 1, { count: Math.max(1, count), box, gap }),
  );
  return shapes.reduce((best, one) => (areaOf(one.tile) > areaOf(best.tile) ? one : best));
}

function shapeWith(
  columns: number,
  { count, box, gap }: Readonly<{ count: number; box: Size; gap: number }>,
): GridShape {
  const rows = Math.ceil(count / columns);
  const width = Math.max(0, (box.width - gap * (columns - 1)) / columns);
  const height = Math.max(0, (box.height - gap * (rows - 1)) / rows);
  const tile = {
    width: Math.floor(Math.min(width, height * widest)),
    height: Math.floor(Math.min(height, width / narrowest)),
  };
  return { columns, rows, tile };
}

function areaOf({ width, height }: Size): number {
  return width * height;
}
