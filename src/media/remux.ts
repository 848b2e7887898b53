/**
 * Browsers record without knowing the end: their files say no duration and have no index, so
 * players can neither show a time line nor jump. The packets are copied into a file that has both.
 */
import {
  ALL_FORMATS,
  Conversion,
  FilePathSource,
  FilePathTarget,
  Input,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from "mediabunny";

export type RecordingType = "video/webm" | "video/mp4";

export type RemuxOrder = Readonly<{ from: string; to: string; type: RecordingType }>;

const convert = async (input: Input, { to, type }: RemuxOrder): Promise<boolean> => {
  const output = new Output({
    format: type === "video/mp4" ? new Mp4OutputFormat() : new WebMOutputFormat(),
    target: new FilePathTarget(to),
  });
  const conversion = await Conversion.init({ input, output, showWarnings: false });
  if (!conversion.isValid || conversion.discardedTracks.length > 0) {
    await output.cancel();
    return false;
  }
  await conversion.execute();
  return true;
};

/** A full or failing disk is our fault and worth another try; bad bytes stay bad. */
const isOurFault = (thrown: unknown): boolean => thrown instanceof Error && "syscall" in thrown;

/** Whether the file could be used. What comes after the last whole packet is left out. */
export const remux = async (order: RemuxOrder): Promise<boolean> => {
  const input = new Input({ formats: ALL_FORMATS, source: new FilePathSource(order.from) });
  try {
    return (await input.canRead()) && (await convert(input, order));
  } catch (thrown) {
    if (isOurFault(thrown)) {
      throw thrown;
    }
    return false;
  } finally {
    input.dispose();
  }
};
