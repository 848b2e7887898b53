/** How much each connection of a mesh may send. Pure. */
import type { Bandwidth } from "./bandwidth.ts";

export type VideoLimit = Readonly<{
  maxBitrate: number;
  maxFramerate: number;
  /** Lines of the picture that is sent; larger ones are scaled down. */
  maxHeight: number;
}>;

export type SendLimits = Readonly<{
  audio: Readonly<{ maxBitrate: number }>;
  camera: VideoLimit;
  screen: VideoLimit;
}>;

const audio = { maxBitrate: 40_000 } as const;

/** Text must be readable; a low frame rate is enough. */
const screen: VideoLimit = { maxBitrate: 2_500_000, maxFramerate: 15, maxHeight: 1_440 };

/** A mesh sends everything once per peer: less each, with more people. */
export function limitsFor(people: number): SendLimits {
  if (people > 3) {
    const camera = { maxBitrate: 400_000, maxFramerate: 24, maxHeight: 360 };
    return { audio, camera, screen: { ...screen, maxBitrate: 1_000_000, maxHeight: 1_080 } };
  }
  const maxBitrate = people > 2 ? 1_200_000 : 2_500_000;
  return { audio, camera: { maxBitrate, maxFramerate: 30, maxHeight: 720 }, screen };
}

/** 250 kbit/s carry this picture and the sound. */
const smallCamera: VideoLimit = { maxBitrate: 400_000, maxFramerate: 15, maxHeight: 360 };

export function cameraLimit({ camera }: SendLimits, bandwidth: Bandwidth): VideoLimit {
  return bandwidth === "scarce" ? smallCamera : camera;
}

export function scaleFor(height: number | undefined, { maxHeight }: VideoLimit): number {
  return height === undefined ? 1 : Math.max(1, height / maxHeight);
}
