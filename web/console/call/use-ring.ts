/** Rings while a customer waits: a sound, and a title that changes. */
import { useCallback, useEffect, useState } from "react";
import { useFlashingTitle } from "../use-flashing-title.ts";

const everyMs = 2_500;
const storageKey = "sightline.ring";

export type Ring = Readonly<{
  isMuted: boolean;
  setMuted: (isMuted: boolean) => void;
  /** The browser waits for a click before it plays a sound. */
  isBlocked: boolean;
}>;

export function useRing(isRinging: boolean, title: string): Ring {
  const [isMuted, setMutedState] = useState(readMuted);
  const isBlocked = useRingSound(isRinging && !isMuted);
  useFlashingTitle(isRinging ? `● ${title}` : undefined);
  const setMuted = useCallback((next: boolean) => {
    setMutedState(next);
    keepMuted(next);
  }, []);
  return { isMuted, setMuted, isBlocked };
}

function useRingSound(isOn: boolean): boolean {
  const [isBlocked, setBlocked] = useState(false);
  useEffect(() => {
    if (!isOn) {
      return undefined;
    }
    const context = new AudioContext();
    const follow = (): void => setBlocked(context.state === "suspended");
    const ring = (): void => {
      follow();
      if (context.state === "running") {
        playTones(context);
      }
    };
    const resume = (): void => void context.resume().then(ring, () => undefined);
    context.addEventListener("statechange", follow);
    document.addEventListener("pointerdown", resume);
    document.addEventListener("keydown", resume);
    ring();
    const timer = setInterval(ring, everyMs);
    return () => {
      clearInterval(timer);
      document.removeEventListener("pointerdown", resume);
      document.removeEventListener("keydown", resume);
      context.removeEventListener("statechange", follow);
      void context.close();
      setBlocked(false);
    };
  }, [isOn]);
  return isBlocked;
}

/** Two soft tones, twice. */
function playTones(context: AudioContext): void {
  const volume = 0.12;
  for (const [nth, hertz] of [659, 523, 659, 523].entries()) {
    const start = context.currentTime + nth * 0.22;
    const [tone, gain] = [context.createOscillator(), context.createGain()];
    tone.frequency.value = hertz;
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(volume, start + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.001, start + 0.2);
    tone.connect(gain).connect(context.destination);
    tone.start(start);
    tone.stop(start + 0.21);
  }
}

/** In a cross-site frame, some browsers throw on access to storage. */
function readMuted(): boolean {
  try {
    return localStorage.getItem(storageKey) === "muted";
  } catch {
    return false;
  }
}

function keepMuted(isMuted: boolean): void {
  try {
    localStorage.setItem(storageKey, isMuted ? "muted" : "on");
  } catch {
    // For this page only.
  }
}
