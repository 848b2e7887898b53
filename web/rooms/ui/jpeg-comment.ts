/** Text inside a JPEG, in comment segments: programs that only show the picture skip them. Pure. */

const marker = 0xff;
const comment = 0xfe;
/** Segments that describe the picture, such as JFIF and Exif, come before all others. */
const firstApplication = 0xe0;
const lastApplication = 0xef;

/** A segment stores its length, which includes these two bytes, in two bytes. */
const lengthBytes = 2;
const maxText = 0xffff - lengthBytes;

/** Text that is longer than one segment continues in the next one. */
export function addJpegComment(jpeg: Uint8Array<ArrayBuffer>, text: string): Blob {
  const at = endOfApplicationSegments(jpeg);
  const bytes = new TextEncoder().encode(text);
  const parts: Uint8Array<ArrayBuffer>[] = [jpeg.subarray(0, at)];
  for (let from = 0; from < bytes.length; from += maxText) {
    const part = bytes.subarray(from, from + maxText);
    const length = part.length + lengthBytes;
    parts.push(Uint8Array.of(marker, comment, length >> 8, length & 0xff), part);
  }
  return new Blob([...parts, jpeg.subarray(at)], { type: "image/jpeg" });
}

function endOfApplicationSegments(jpeg: Uint8Array): number {
  const view = new DataView(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength);
  let at = 2; // after the marker of the start
  while (isApplicationSegment(jpeg, at)) {
    at += 2 + view.getUint16(at + 2);
  }
  return at;
}

function isApplicationSegment(jpeg: Uint8Array, at: number): boolean {
  const kind = jpeg[at + 1] ?? 0;
  return jpeg[at] === marker && kind >= firstApplication && kind <= lastApplication;
}
