/**
 * Files recorded by browsers have no duration and no index, so players cannot seek. Copies the
 * packets into a file that has both.
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

/** Paths, and the type of the file to write. */
export type RemuxOrder = Readonly<{ from: string; to: string; type: RecordingType }>;

/** Returns whether the file was usable. Drops data after the last complete packet. */
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
 * Opens the files itself: the library's own file sources leak a file descriptor if a conversion is
 * aborted before it starts.
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

/** Disk errors are ours and worth a retry; invalid data is not. */
function isLocalFault(thrown: unknown): boolean {
  return thrown instanceof Error && "syscall" in thrown;
}
