import type { Board } from "../../web/rooms/board-shapes.ts";

const comment = 0xfe;
const startOfScan = 0xda;

/** The text of a JPEG's comment segments, read like other programs do. */
export function readJpegComment(jpeg: Uint8Array): string {
  const file = Buffer.from(jpeg);
  const parts: Buffer[] = [];
  for (let at = 2; file[at + 1] !== startOfScan; at += 2 + file.readUInt16BE(at + 2)) {
    if (file[at + 1] === comment) {
      parts.push(file.subarray(at + 4, at + 2 + file.readUInt16BE(at + 2)));
    }
  }
  return Buffer.concat(parts).toString();
}

/** The shapes of a stored drawing, from the file at this URL. */
export async function readDrawing(url: string): Promise<Board> {
  const file = await (await fetch(url)).arrayBuffer();
  return (JSON.parse(readJpegComment(new Uint8Array(file))) as { drawing: Board }).drawing;
}
