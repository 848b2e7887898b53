/** One entry of a timeline: icon, sentence, details and time. */
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
  /** The source, shown before the time. */
  source?: string;
  /** Arrived after the page was opened. */
  isNew: boolean;
  /** Details, such as an image or a text. */
  children?: ReactNode;
  /** Shown on the right; below the entry on narrow screens. */
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
