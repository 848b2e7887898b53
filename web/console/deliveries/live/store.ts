/**
 * In: views and losses as they come. Out: what to draw.
 * Guarantee: at most one drawing a second, in a frame of its own; nothing that came is left out of
 * the next one. While the page is not seen nothing is asked for.
 */
import { startFeed } from "./feed.ts";
import { afterLoss, afterPause, afterView, firstState, type LiveState } from "./state.ts";

const drawEveryMs = 1_000;

export type LiveStore = Readonly<{
  subscribe: (onChange: () => void) => () => void;
  get: () => LiveState;
}>;

/** Watches as long as somebody listens and the page can be seen. */
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
      // Told only where it takes long: mostly the first view is there before.
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

/** Calls back within a frame, once for all that came since; a second lies between two calls. */
function drawer(draw: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAt = Infinity;
  let drawnAt = -drawEveryMs;
  const inFrame = (): void => {
    // Whoever asks from here on is part of it.
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
