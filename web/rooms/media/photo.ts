/** A photo of the camera at its own resolution. */
type PhotoCapture = Readonly<{ takePhoto(): Promise<Blob> }>;

/** Not in the types of browsers; Chromium and, for some, Safari have it. */
type PhotoWindow = Readonly<{ ImageCapture?: new (track: MediaStreamTrack) => PhotoCapture }>;

const takePhotoMs = 5_000;

const jpegQuality = 0.92;

/**
 * Some cameras take seconds for a photo, or never answer: then the present picture of the video is
 * the photo. Throws if there is none either.
 */
export async function takePhoto(track: MediaStreamTrack): Promise<Blob> {
  const photo = await withinTime(capturePhoto(track), takePhotoMs);
  return photo ?? captureFrame(track);
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

async function captureFrame(track: MediaStreamTrack): Promise<Blob> {
  const video = document.createElement("video");
  video.muted = true;
  video.playsInline = true;
  video.srcObject = new MediaStream([track]);
  try {
    await video.play();
    const canvas = document.createElement("canvas");
    canvas.width = video.videoWidth;
    canvas.height = video.videoHeight;
    canvas.getContext("2d")?.drawImage(video, 0, 0);
    return await toJpeg(canvas);
  } finally {
    video.srcObject = null;
  }
}

function toJpeg(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error("The picture is empty.")) : resolve(blob)),
      "image/jpeg",
      jpegQuality,
    );
  });
}
