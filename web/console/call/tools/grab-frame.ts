import { captureFrame } from "../../../rooms/media/jpeg.ts";

/** What the video shows now; undefined if it shows nothing. */
export async function grabFrame(video: HTMLVideoElement | null): Promise<Blob | undefined> {
  return video === null || video.videoWidth === 0
    ? undefined
    : captureFrame(video).catch(() => undefined);
}
