/** One entry of a timeline: a sentence with an icon, what it brought along, when it was. */
import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { RelativeTime } from "../relative-time.tsx";
import { EntryIcon, type EntryAppearance } from "./entry-icon.tsx";
import classes from "./timeline.module.css";

type TimelineLineProps = Readonly<{
  type: string;
  appearance: EntryAppearance;
  sentence: string;
  at: string;
  /** Where it came from, before the time. */
  source?: string;
  /** Came while the page was open. */
  isNew: boolean;
  /** A picture, a text. */
  children?: ReactNode;
  /** At the right, below it where there is no room. */
  trailing?: ReactNode;
}>;

export function TimelineLine(props: TimelineLineProps) {
  const { type, appearance, sentence, at, source, isNew, children, trailing } = props;
  return (
    <li className={classes["event"]} data-new={isNew || undefined} data-type={type}>
      <div className={classes["inner"]}>
        <EntryIcon {...appearance} />
        <div className={classes["what"]}>
          <Text size="sm">{sentence}</Text>
          {children}
          <Text size="xs" c="dimmed">
            {source === undefined ? null : `${source} · `}
            <RelativeTime at={at} />
          </Text>
        </div>
        {trailing}
      </div>
    </li>
  );
}
