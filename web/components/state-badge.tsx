import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconMinus,
  type Icon,
} from "@tabler/icons-react";
import tints from "./meaning.module.css";
import type { Meaning } from "./meaning.ts";
import classes from "./state-badge.module.css";

const icons: Record<Meaning, Icon> = {
  good: IconCircleCheck,
  warn: IconAlertTriangle,
  bad: IconCircleX,
  waiting: IconClock,
  neutral: IconMinus,
};

export function StateBadge({ meaning, children }: { meaning: Meaning; children: string }) {
  const Picture = icons[meaning];
  return (
    <span className={`${classes["badge"]} ${tints["tint"]}`} data-meaning={meaning}>
      <Picture size={14} aria-hidden />
      {children}
    </span>
  );
}
