/** One session of a room: time, participants and duration. */
import { Text } from "@mantine/core";
import { RelativeTime } from "./relative-time.tsx";
import { StateBadge } from "./state-badge.tsx";
import classes from "./session-line.module.css";

type SessionLineProps = Readonly<{
  startedAt: string;
  /** The number of participants and the reason for the end. */
  about: string;
  /** Total and billed duration; undefined during the session. */
  lengths: Readonly<{ whole: string; billed: string }> | undefined;
  /** Shown during the session. */
  now: string;
}>;

export function SessionLine({ startedAt, about, lengths, now }: SessionLineProps) {
  return (
    <div className={classes["line"]}>
      <div>
        <Text size="sm">
          <RelativeTime at={startedAt} />
        </Text>
        <Text size="xs" c="dimmed">
          {about}
        </Text>
      </div>
      {lengths === undefined ? (
        <StateBadge meaning="good">{now}</StateBadge>
      ) : (
        <div className={classes["length"]}>
          <Text size="sm">{lengths.whole}</Text>
          <Text size="xs" c="dimmed">
            {lengths.billed}
          </Text>
        </div>
      )}
    </div>
  );
}
