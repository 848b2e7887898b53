/**
 * Browsers record without knowing the end: their files say no duration and have no index, so
 * players can neither show a time line nor jump. The packets are copied into a file that has both.
 */
import { open, type FileHandle } from "node:fs/promises";
import {
  ALL_FORMATS,
  Conversion,
  CustomSource,
  Input,
  Mp4OutputFormat,
  Output,
  StreamTarget,
  WebMOutputFormat,
  type StreamTargetChunk,
} from "mediabunny";

export type RecordingType = "video/webm" | "video/mp4";

export type RemuxOrder = Readonly<{ from: string; to: string; type: RecordingType }>;

/** Whether the file could be used. What comes after the last whole packet is left out. */
export async function remux(order: RemuxOrder): Promise<boolean> {
  const file = await open(order.from, "r");
  const input = new Input({ formats: ALL_FORMATS, source: sourceOf(file) });
  try {
    return (await input.canRead()) && (await convertInto(input, order));
  } catch (thrown) {
    if (isLocalFault(thrown)) {
      throw thrown;
    }
    return false;
  } finally {
    input.dispose();
    await file.close();
  }
}

/**
 * The library's own sources and targets of files open and close them by themselves, and leave one
 * open where a conversion is given up before its start. So the files are ours.
 */
function sourceOf(file: FileHandle): CustomSource {
  return new CustomSource({
    getSize: async () => (await file.stat()).size,
    read: async (start, end) => {
      const buffer = new Uint8Array(end - start);
      await file.read(buffer, 0, end - start, start);
      return buffer;
    },
    prefetchProfile: "fileSystem",
  });
}

async function convertInto(input: Input, { to, type }: RemuxOrder): Promise<boolean> {
  const file = await open(to, "w", 0o600);
  try {
    return await convert(input, file, type);
  } finally {
    await file.close();
  }
}

async function convert(input: Input, to: FileHandle, type: RecordingType): Promise<boolean> {
  const output = new Output({
    format: type === "video/mp4" ? new Mp4OutputFormat() : new WebMOutputFormat(),
    target: targetOf(to),
  });
  const conversion = await Conversion.init({ input, output, showWarnings: false });
  if (!conversion.isValid || conversion.discardedTracks.length > 0) {
    await output.cancel();
    return false;
  }
  await conversion.execute();
  return true;
}

function targetOf(file: FileHandle): StreamTarget {
  const write = async ({ data, position }: StreamTargetChunk): Promise<void> => {
    for (let done = 0; done < data.byteLength;) {
      const left = data.byteLength - done;
      const { bytesWritten } = await file.write(data, done, left, position + done);
      done += bytesWritten;
    }
  };
  return new StreamTarget(new WritableStream({ write }), { chunked: true });
}

/** A full or failing disk is our fault and worth another try; bad bytes stay bad. */
function isLocalFault(thrown: unknown): boolean {
  return thrown instanceof Error && "syscall" in thrown;
}
