import { captureFrame } from "../../../rooms/media/jpeg.ts";

/** The current frame of the video; undefined if there is none. */
export async function grabFrame(video: HTMLVideoElement | null): Promise<Blob | undefined> {
  return video === null || video.videoWidth === 0
    ? undefined
    : captureFrame(video).catch(() => undefined);
}
