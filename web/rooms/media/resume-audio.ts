const gestures = ["pointerdown", "keydown"] as const;

/** Browsers suspend audio until the person did something on the page. Out: what stops waiting for it. */
export function resumeOnGesture(context: AudioContext): () => void {
  const stop = (): void =>
    gestures.forEach((type) => document.removeEventListener(type, resume, true));
  const resume = (): void => {
    context.resume().then(stop, () => undefined);
  };
  gestures.forEach((type) => document.addEventListener(type, resume, true));
  resume();
  return stop;
}
