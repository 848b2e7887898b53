/** A photo of the camera at its own resolution. */
import { captureFrame } from "./jpeg.ts";

type PhotoCapture = Readonly<{ takePhoto(): Promise<Blob> }>;

/** Not in the types of browsers; Chromium and, for some, Safari have it. */
type PhotoWindow = Readonly<{ ImageCapture?: new (track: MediaStreamTrack) => PhotoCapture }>;

const takePhotoMs = 5_000;

/**
 * Some cameras take seconds for a photo, or never answer: then the present picture of the video is
 * the photo. Throws if there is none either.
 */
export async function takePhoto(track: MediaStreamTrack): Promise<Blob> {
  const photo = await withinTime(capturePhoto(track), takePhotoMs);
  return photo ?? captureTrack(track);
}

async function capturePhoto(track: MediaStreamTrack): Promise<Blob | undefined> {
  const { ImageCapture } = window as PhotoWindow;
  if (ImageCapture === undefined) {
    return undefined;
  }
  try {
    const photo = await new ImageCapture(track).takePhoto();
    return photo.size > 0 ? photo : undefined;
  } catch {
    return undefined;
  }
}

function withinTime<Value>(value: Promise<Value>, limitMs: number): Promise<Value | undefined> {
  const late = new Promise<undefined>((resolve) => {
    setTimeout(() => resolve(undefined), limitMs);
  });
  return Promise.race([value, late]);
}

async function captureTrack(track: MediaStreamTrack): Promise<Blob> {
  const video = document.createElement("video");
  video.muted = true;
  video.playsInline = true;
  video.srcObject = new MediaStream([track]);
  try {
    await video.play();
    return await captureFrame(video);
  } finally {
    video.srcObject = null;
  }
}
