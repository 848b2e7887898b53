import { useMediaQuery } from "@mantine/hooks";
import type { ReactNode } from "react";
import classes from "./detail-pane.module.css";

type SplitProps = Readonly<{ isOpen: boolean; list: ReactNode; pane: ReactNode }>;

/** A list with room beside it for what is open of it. */
export function SplitView({ isOpen, list, pane }: SplitProps) {
  return (
    <div className={classes["split"]} data-open={isOpen || undefined}>
      <div>{list}</div>
      {pane}
    </div>
  );
}

/** Whether there is room for a list and a pane. */
export function useHasRoom(): boolean {
  return useMediaQuery("(min-width: 68.01em)", undefined, { getInitialValueInEffect: false });
}
