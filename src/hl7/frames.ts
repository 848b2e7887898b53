/** MLLP: a message between 0x0B and 0x1C 0x0D. Bytes as they come → whole messages. Pure. */

const startByte = 0x0b;
const endBytes = Buffer.from([0x1c, 0x0d]);

export type Frames = {
  /** The messages that these bytes complete, in order. Throws where one grows too large. */
  push(chunk: Buffer): Buffer[];
};

export const frame = (text: string): Buffer =>
  Buffer.concat([Buffer.from([startByte]), Buffer.from(text, "utf8"), endBytes]);

/** Bytes between two frames mean nothing and are dropped. */
export const createFrames = (maxBytes: number): Frames => {
  let rest: Buffer = Buffer.alloc(0);

  const takeOne = (): Buffer | undefined => {
    const start = rest.indexOf(startByte);
    if (start === -1) {
      rest = Buffer.alloc(0);
      return undefined;
    }
    rest = rest.subarray(start);
    const end = rest.indexOf(endBytes);
    if ((end === -1 ? rest.length : end) > maxBytes) {
      throw new Error(`An MLLP frame is larger than ${maxBytes} bytes`);
    }
    if (end === -1) {
      return undefined;
    }
    const message = rest.subarray(1, end);
    rest = rest.subarray(end + endBytes.length);
    return message;
  };

  return {
    push: (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      const messages: Buffer[] = [];
      for (let message = takeOne(); message !== undefined; message = takeOne()) {
        messages.push(message);
      }
      return messages;
    },
  };
};
