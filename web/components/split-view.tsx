import { useMediaQuery } from "@mantine/hooks";
import type { ReactNode } from "react";
import classes from "./detail-pane.module.css";

type SplitProps = Readonly<{ isOpen: boolean; list: ReactNode; pane: ReactNode }>;

/** A list with a detail pane beside it. */
export function SplitView({ isOpen, list, pane }: SplitProps) {
  return (
    <div className={classes["split"]} data-open={isOpen || undefined}>
      <div>{list}</div>
      {pane}
    </div>
  );
}

/** Whether the window is wide enough for a list and a pane. */
export function useHasRoom(): boolean {
  return useMediaQuery("(min-width: 68.01em)", undefined, { getInitialValueInEffect: false });
}
