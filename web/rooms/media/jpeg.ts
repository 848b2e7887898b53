const quality = 0.92;

/** What a video shows now, at its own size. Rejects if that is nothing. */
export function captureFrame(video: HTMLVideoElement): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext("2d")?.drawImage(video, 0, 0);
  return toJpeg(canvas);
}

/** Rejects if the canvas is empty. */
export function toJpeg(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error("The picture is empty.")) : resolve(blob)),
      "image/jpeg",
      quality,
    );
  });
}
