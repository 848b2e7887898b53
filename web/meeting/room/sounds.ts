/** Short sounds, made by the browser: no file has to be loaded. */
const notes = [
  { atSeconds: 0, hertz: 659 },
  { atSeconds: 0.16, hertz: 880 },
];

/** Two notes. Silent where the browser plays nothing before a click. */
export function playKnock(): void {
  const context = new AudioContext();
  const end = notes.map((note) => playNote(context, note)).pop();
  end?.addEventListener("ended", () => void context.close());
  void context.resume().catch(() => undefined);
}

function playNote(
  context: AudioContext,
  { atSeconds, hertz }: Readonly<{ atSeconds: number; hertz: number }>,
): OscillatorNode {
  const start = context.currentTime + atSeconds;
  const oscillator = new OscillatorNode(context, { frequency: hertz, type: "sine" });
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(0.15, start + 0.02);
  volume.gain.exponentialRampToValueAtTime(0.001, start + 0.35);
  oscillator.connect(volume).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + 0.4);
  return oscillator;
}
