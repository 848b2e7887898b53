/** Fits the boxes into the row: minimizes those that do not fit, oldest first. */
import type { Box } from "./box.ts";

export type Room = Readonly<{
  /**
   * Called when a box opens. `isWished`: opened by the agent, so it is not minimized to make room.
   */
  opened(box: Box, isWished: boolean): void;
}>;

export function createRoom(row: HTMLElement): Room {
  /** In order of opening. */
  let open: readonly Box[] = [];
  let isFitting = false;

  const fit = (wished: Box | undefined): void => {
    open = open.filter((box) => row.contains(box.view.root) && !box.isMinimized());
    const focused = open.filter(hasFocus)[0];
    const kept = wished ?? focused ?? open[open.length - 1];
    if (kept === undefined || isFitting) {
      return; // boxes opened by a host callback in here are not minimized at once
    }
    isFitting = true;
    for (const box of open) {
      // Checked again, because a host callback may have closed it.
      if (box !== kept && row.contains(box.view.root) && isFull(row)) {
        box.minimize();
      }
    }
    isFitting = false;
    scrollTo(row, kept);
  };

  // On a resize of the window or the directory. In the next frame, because a ResizeObserver must
  // not resize its target.
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

/** The row overflows. */
function isFull(row: HTMLElement): boolean {
  return row.scrollWidth > row.clientWidth + 1 || row.scrollHeight > row.clientHeight + 1;
}

/** Scrolls within the row only, never the host's page. */
function scrollTo(row: HTMLElement, { view }: Box): void {
  const [frame, shown] = [row.getBoundingClientRect(), view.root.getBoundingClientRect()];
  if (shown.bottom > frame.bottom) {
    row.scrollTop += shown.bottom - frame.bottom;
  }
  if (shown.top < frame.top) {
    row.scrollTop += shown.top - frame.top;
  }
}
