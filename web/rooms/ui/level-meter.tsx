import { useEffect, useState, type ReactNode } from "react";
import { measureLevel } from "../media/level.ts";
import type { Room } from "../room.ts";
import styles from "./level-meter.module.css";
import { useRoom } from "./use-room.ts";

const bars = 12;

/**
 * How loud this person's microphone is. Speech is in the middle of the range. The level is measured
 * while the meter is shown only: ten measurements per second would cost a phone's battery in a call.
 */
export function LevelMeter({ room, label }: Readonly<{ room: Room; label: string }>): ReactNode {
  const level = useLevel(useRoom(room).local.stream?.getAudioTracks()[0]);
  const lit = Math.round(Math.min(1, level * 1.4) * bars);
  return (
    <div
      className={styles.meter}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(level * 100)}
    >
      {Array.from({ length: bars }, (_, index) => (
        <span key={index} className={styles.bar} data-lit={index < lit ? "" : undefined} />
      ))}
    </div>
  );
}

function useLevel(track: MediaStreamTrack | undefined): number {
  const [level, setLevel] = useState(0);
  useEffect(() => {
    try {
      return track === undefined ? undefined : measureLevel(track, setLevel);
    } catch {
      return undefined; // without the audio output that some browsers need, the rest still works
    }
  }, [track]);
  return track === undefined ? 0 : level;
}
