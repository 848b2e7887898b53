import { useEffect } from "react";
import { lastFocus } from "./last-focus.ts";

/**
 * For a dialog that is there only while it is open: when it goes, the focus is given back to what
 * opened it; where that is gone, to the first of the buttons beside it.
 */
export function useRestoreFocus(): void {
  useEffect(() => {
    const opener = lastFocus();
    const group = opener?.closest('[role="group"], section');
    return () => {
      if (isNothingFocused()) {
        const next = opener?.isConnected === true ? opener : group?.querySelector("button");
        next?.focus({ preventScroll: true });
      }
    };
  }, []);
}

function isNothingFocused(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}
