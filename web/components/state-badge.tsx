import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconMinus,
  type Icon,
} from "@tabler/icons-react";
import classes from "./state-badge.module.css";

/** What a state means for whoever looks: colour and icon follow from it, never colour alone. */
export type Meaning = "good" | "warn" | "bad" | "waiting" | "neutral";

const icons: Record<Meaning, Icon> = {
  good: IconCircleCheck,
  warn: IconAlertTriangle,
  bad: IconCircleX,
  waiting: IconClock,
  neutral: IconMinus,
};

export const StateBadge = ({ meaning, children }: { meaning: Meaning; children: string }) => {
  const Picture = icons[meaning];
  return (
    <span className={classes["badge"]} data-meaning={meaning}>
      <Picture size={14} aria-hidden />
      {children}
    </span>
  );
};
