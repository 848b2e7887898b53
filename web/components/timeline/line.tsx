/** One entry of a timeline: a sentence with an icon, what it brought along, when it was. */
import { Text } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { RelativeTime } from "../relative-time.tsx";
import classes from "./timeline.module.css";

/** The colour never says more than the words. */
export type Look = Readonly<{ icon: Icon; tone: "good" | "warn" | "bad" | "plain" }>;

type TimelineLineProps = Readonly<{
  type: string;
  look: Look;
  sentence: string;
  at: string;
  /** Where it came from, before the time. */
  source?: string;
  /** Came while the page was open. */
  isNew: boolean;
  /** A picture, a text. */
  children?: ReactNode;
  /** At the right, below it where there is no room. */
  beside?: ReactNode;
}>;

export const TimelineLine = (props: TimelineLineProps) => {
  const { type, look, sentence, at, source, isNew, children, beside } = props;
  const Icon = look.icon;
  return (
    <li className={classes["event"]} data-new={isNew || undefined} data-type={type}>
      <div className={classes["inner"]}>
        <span className={classes["icon"]} data-tone={look.tone} aria-hidden>
          <Icon size={15} stroke={1.8} />
        </span>
        <div className={classes["what"]}>
          <Text size="sm">{sentence}</Text>
          {children}
          <Text size="xs" c="dimmed">
            {source === undefined ? null : `${source} · `}
            <RelativeTime at={at} />
          </Text>
        </div>
        {beside}
      </div>
    </li>
  );
};
