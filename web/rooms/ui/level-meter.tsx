import type { ReactNode } from "react";
import type { Room } from "../room.ts";
import styles from "./level-meter.module.css";
import { useRoom } from "./use-room.ts";

const bars = 12;

/** How loud this person's microphone is. Speech is in the middle of the range. */
export function LevelMeter({ room, label }: Readonly<{ room: Room; label: string }>): ReactNode {
  const { level } = useRoom(room).local;
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
