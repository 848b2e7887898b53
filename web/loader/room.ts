/** Room for the boxes: what the row cannot show open is minimised, what was opened first before all. */
import type { Box } from "./box.ts";

export type Room = Readonly<{
  /** A box was opened. `isWished`: by the agent, so that it stays open whatever makes way for it. */
  opened(box: Box, isWished: boolean): void;
}>;

export function createRoom(row: HTMLElement): Room {
  /** The one that was opened last comes last. */
  let open: readonly Box[] = [];
  let isFitting = false;

  const fit = (wished: Box | undefined): void => {
    open = open.filter((box) => row.contains(box.view.root) && !box.isMinimized());
    const focused = open.filter(hasFocus)[0];
    const kept = wished ?? focused ?? open[open.length - 1];
    if (kept === undefined || isFitting) {
      return; // what a callback of the host opens meanwhile is not minimised under its hands
    }
    isFitting = true;
    for (const box of open) {
      // Again whether it is in the row: a callback of the host may have closed it.
      if (box !== kept && row.contains(box.view.root) && isFull(row)) {
        box.minimize();
      }
    }
    isFitting = false;
    scrollTo(row, kept);
  };

  // The window's size, or the directory's. In the next frame: the observer may not resize the row.
  new ResizeObserver(() => requestAnimationFrame(() => fit(undefined))).observe(row);

  return {
    opened: (box, isWished) => {
      open = [...open.filter((one) => one !== box), box];
      fit(isWished ? box : undefined);
    },
  };
}

function hasFocus({ view }: Box): boolean {
  return view.root.contains(document.activeElement);
}

/** The styles say how much there is: what does not fit overflows. */
function isFull(row: HTMLElement): boolean {
  return row.scrollWidth > row.clientWidth + 1 || row.scrollHeight > row.clientHeight + 1;
}

/** Only in the row: the page of somebody else is not scrolled. */
function scrollTo(row: HTMLElement, { view }: Box): void {
  const [frame, shown] = [row.getBoundingClientRect(), view.root.getBoundingClientRect()];
  if (shown.bottom > frame.bottom) {
    row.scrollTop += shown.bottom - frame.bottom;
  }
  if (shown.top < frame.top) {
    row.scrollTop += shown.top - frame.top;
  }
}
