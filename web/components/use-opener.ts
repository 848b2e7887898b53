import { useEffect } from "react";

const focused = (): HTMLElement | null =>
  document.activeElement instanceof HTMLElement && document.activeElement !== document.body
    ? document.activeElement
    : null;

/** What will still be there when a dialog closes: of a menu, which closes, the button that opened it. */
const openerOf = (asked: HTMLElement | null): HTMLElement | null => {
  const menu = asked?.closest('[role="menu"]');
  return menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : asked;
};

/**
 * For a dialog that is there only while it is open: when it goes, the focus is given back to what
 * opened it; where that is gone, to the first of the buttons beside it.
 */
export const useOpener = (): void => {
  useEffect(() => {
    const opener = openerOf(focused());
    const group = opener?.closest('[role="group"], section');
    return () => {
      if (focused() === null) {
        const next = opener?.isConnected === true ? opener : group?.querySelector("button");
        next?.focus({ preventScroll: true });
      }
    };
  }, []);
};
