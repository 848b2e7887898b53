/** MLLP: a message between 0x0B and 0x1C 0x0D. Bytes as they come → whole messages. Pure. */

const startByte = 0x0b;
const endBytes = Buffer.from([0x1c, 0x0d]);

/** Of a message that is too large its first bytes are kept: they say whose it is. */
export const keptBytes = 4_096;

export type Frame = Readonly<{ bytes: Buffer; isTooLarge: boolean }>;

export type Frames = {
  /** The messages that these bytes complete, in order. */
  push(chunk: Buffer): Frame[];
};

export function frame(text: string): Buffer {
  return Buffer.concat([Buffer.from([startByte]), Buffer.from(text, "utf8"), endBytes]);
}

/**
 * Bytes between two frames mean nothing and are dropped. So is what goes beyond `maxBytes` of a
 * frame, up to its end: the next frame is read as ever.
 */
export function createFrames(maxBytes: number): Frames {
  let rest: Buffer = Buffer.alloc(0);
  /** The beginning of a frame that is too large, of which the rest is being dropped. */
  let head: Buffer | undefined;

  const takeTooLarge = (kept: Buffer): Frame | undefined => {
    const end = rest.indexOf(endBytes);
    if (end === -1) {
      rest = rest.subarray(Math.max(0, rest.length - 1)); // may be the first byte of the end
      return undefined;
    }
    rest = rest.subarray(end + endBytes.length);
    head = undefined;
    return { bytes: kept, isTooLarge: true };
  };

  const takeOne = (): Frame | undefined => {
    if (head !== undefined) {
      return takeTooLarge(head);
    }
    const start = rest.indexOf(startByte);
    if (start === -1) {
      rest = Buffer.alloc(0);
      return undefined;
    }
    rest = rest.subarray(start);
    const end = rest.indexOf(endBytes);
    // Without its end it ends at the last byte at the earliest: that may be the end's first one.
    if ((end === -1 ? rest.length - 1 : end) > maxBytes) {
      head = Buffer.from(rest.subarray(1, Math.min(maxBytes, keptBytes)));
      return takeTooLarge(head);
    }
    if (end === -1) {
      return undefined;
    }
    const bytes = rest.subarray(1, end);
    rest = rest.subarray(end + endBytes.length);
    return { bytes, isTooLarge: false };
  };

  return {
    push: (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      const frames: Frame[] = [];
      for (let next = takeOne(); next !== undefined; next = takeOne()) {
        frames.push(next);
      }
      return frames;
    },
  };
}
