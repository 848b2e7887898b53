import { useLayoutEffect } from "react";

const flashMs = 1_000;

/** Alternates the title of the tab with `title`. Undefined: the title of the page stays. */
export function useFlashingTitle(title: string | undefined): void {
  // A layout effect: it restores the title before the next page sets its own.
  useLayoutEffect(() => {
    if (title === undefined) {
      return undefined;
    }
    const before = document.title;
    let isShown = false;
    const flash = (): void => {
      isShown = !isShown;
      document.title = isShown ? title : before;
    };
    flash();
    const timer = setInterval(flash, flashMs);
    return () => {
      clearInterval(timer);
      document.title = before;
    };
  }, [title]);
}
