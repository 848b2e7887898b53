/** Places the pictures of several people in one. Pure. */
export type Cell = Readonly<{ left: number; top: number; width: number; height: number }>;

/** As square as it can be; the last row is centred. */
export function gridOf(count: number, width: number, height: number): readonly Cell[] {
  const columns = Math.max(1, Math.ceil(Math.sqrt(count)));
  const rows = Math.max(1, Math.ceil(count / columns));
  const [cellWidth, cellHeight] = [width / columns, height / rows];
  return Array.from({ length: count }, (_, index) => {
    const row = Math.floor(index / columns);
    const inRow = row === rows - 1 ? count - row * columns : columns;
    const indent = ((columns - inRow) * cellWidth) / 2;
    return {
      left: indent + (index % columns) * cellWidth,
      top: row * cellHeight,
      width: cellWidth,
      height: cellHeight,
    };
  });
}
