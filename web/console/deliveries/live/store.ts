/**
 * The store of the live page. Renders at most once a second, in an animation frame, with everything
 * received until then. Disconnects while the page is hidden.
 */
import { startFeed } from "./feed.ts";
import { afterLoss, afterPause, afterView, firstState, type LiveState } from "./state.ts";

const drawEveryMs = 1_000;

export type LiveStore = Readonly<{
  subscribe: (onChange: () => void) => () => void;
  get: () => LiveState;
}>;

/** Connects while there is a subscriber and the page is visible. */
export function createLiveStore(): LiveStore {
  const listeners = new Set<() => void>();
  let next = firstState;
  let shown = firstState;
  let stop: (() => void) | undefined;
  const draw = drawer(() => {
    shown = next;
    listeners.forEach((listener) => listener());
  });
  const put = (state: LiveState): void => {
    next = state;
    draw();
  };
  const watch = (): void => {
    stop?.();
    stop = undefined;
    if (listeners.size > 0 && document.visibilityState === "visible") {
      // Delayed, because the first view usually arrives sooner.
      next = afterPause(next);
      draw(drawEveryMs);
      stop = startFeed({
        onView: (view, isWhole) =>
          put(afterView(next, { view, isWhole, cameAt: performance.now() })),
        onLost: (problem, isFinal) => put(afterLoss(next, { problem, isFinal })),
      });
    }
  };
  return {
    get: () => shown,
    subscribe: (onChange) => {
      listeners.add(onChange);
      if (listeners.size === 1) {
        document.addEventListener("visibilitychange", watch);
        watch();
      }
      return () => {
        listeners.delete(onChange);
        if (listeners.size === 0) {
          document.removeEventListener("visibilitychange", watch);
          watch();
        }
      };
    },
  };
}

/** Throttles `draw` to once a second, within an animation frame. */
function drawer(draw: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAt = Infinity;
  let drawnAt = -drawEveryMs;
  const inFrame = (): void => {
    // Later calls schedule a new frame.
    dueAt = -Infinity;
    requestAnimationFrame(() => {
      dueAt = Infinity;
      drawnAt = performance.now();
      draw();
    });
  };
  return (delayMs = 0): void => {
    const now = performance.now();
    const at = Math.max(now + delayMs, drawnAt + drawEveryMs);
    if (at < dueAt) {
      clearTimeout(timer);
      dueAt = at;
      timer = setTimeout(inFrame, at - now);
    }
  };
}
