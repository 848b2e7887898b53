import { resumeOnGesture } from "./resume-audio.ts";

/** How loud the microphone is, about ten times per second. */
const intervalMs = 100;

/** Calls `onLevel` with 0 to 1 until the returned function is called, once or more often. */
export function measureLevel(
  track: MediaStreamTrack,
  onLevel: (level: number) => void,
): () => void {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 1024;
  const source = context.createMediaStreamSource(new MediaStream([track]));
  source.connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const stopResuming = resumeOnGesture(context);
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    onLevel(track.enabled ? roundLevel(levelOf(samples)) : 0);
  }, intervalMs);
  return () => {
    clearInterval(timer);
    stopResuming();
    if (context.state !== "closed") {
      source.disconnect();
      void context.close();
    }
  };
}

/** In steps that can be seen: each change renders the meter again. */
function roundLevel(level: number): number {
  return Math.round(level * 20) / 20;
}

const quietDb = -60;

/** RMS in decibels, from -60 dB (0) to 0 dB (1): as loud as it seems. */
export function levelOf(samples: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < samples.length; index += 1) {
    sum += (samples[index] ?? 0) ** 2;
  }
  const rms = Math.sqrt(sum / Math.max(1, samples.length));
  const db = rms > 0 ? 20 * Math.log10(rms) : quietDb;
  return Math.min(1, Math.max(0, 1 - db / quietDb));
}
