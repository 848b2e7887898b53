/**
 * Asks a LiveKit server for each picture in the size in which this page shows it. The own adaptive
 * stream of LiveKit pauses tracks without a visible element, such as those of a recording.
 */
export type SizedTrack = Readonly<{
  track: MediaStreamTrack;
  setSize(size: Size): void;
}>;

export type Size = Readonly<{ width: number; height: number }>;

const intervalMs = 2_000;

/** Shown nowhere, but maybe recorded. */
const defaultSize: Size = { width: 640, height: 360 };

export function followShownSizes(list: () => readonly SizedTrack[]): () => void {
  const timer = setInterval(() => {
    const videos = [...document.querySelectorAll("video")];
    for (const { track, setSize } of list()) {
      setSize(shownSize(videos.filter((video) => shows(video, track))));
    }
  }, intervalMs);
  return () => clearInterval(timer);
}

function shows({ srcObject }: HTMLVideoElement, track: MediaStreamTrack): boolean {
  return srcObject instanceof MediaStream && srcObject.getTracks().includes(track);
}

/** Of the widest, in pixels of the screen. Safari 15 and Chrome before 110 have no `toSorted`. */
function shownSize(videos: readonly HTMLVideoElement[]): Size {
  const most = Math.max(...videos.map(({ clientWidth }) => clientWidth));
  const largest = videos.find(({ clientWidth }) => clientWidth === most);
  if (largest === undefined || largest.clientWidth === 0) {
    return defaultSize;
  }
  const ratio = window.devicePixelRatio;
  return {
    width: Math.round(largest.clientWidth * ratio),
    height: Math.round(largest.clientHeight * ratio),
  };
}
