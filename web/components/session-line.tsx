/** A time that people were in a room together: when, who came, and for how long. */
import { Text } from "@mantine/core";
import { RelativeTime } from "./relative-time.tsx";
import { StateBadge } from "./state-badge.tsx";
import classes from "./session-line.module.css";

type SessionLineProps = Readonly<{
  startedAt: string;
  /** How many came, and what ended it. */
  about: string;
  /** How long it was, and what of that is billed; undefined while it goes on. */
  lengths: Readonly<{ whole: string; billed: string }> | undefined;
  /** Said while it goes on. */
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
