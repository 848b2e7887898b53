import { useEffect } from "react";
import { lastFocus } from "./last-focus.ts";

/**
 * For dialogs that are mounted only while open: on unmount, returns the focus to the opener, or, if
 * the opener is gone, to the first button beside it.
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
