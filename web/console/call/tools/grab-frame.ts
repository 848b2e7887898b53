/** What the video shows now, as a JPEG. */
export async function grabFrame(video: HTMLVideoElement | null): Promise<Blob | undefined> {
  if (video === null || video.videoWidth === 0) {
    return undefined;
  }
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
  canvas.getContext("2d")?.drawImage(video, 0, 0);
  return new Promise((resolve) => {
    canvas.toBlob((blob) => resolve(blob ?? undefined), "image/jpeg", 0.92);
  });
}
