/** When a connection is down, and when it should look for another way. */
import type { MediaState } from "../room.ts";

export type LinkHealth = Readonly<{
  /** Offer and answer were exchanged: both sides are there, and only the way is missing. */
  onNegotiated(): void;
  onState(state: RTCPeerConnectionState): void;
  state(): MediaState;
  close(): void;
}>;

export type LinkHealthOptions = Readonly<{
  isPolite: boolean;
  onChange(): void;
  onRestart(): void;
}>;

/** A short interruption heals by itself. */
const disconnectedMs = 2_000;

/** So long after an attempt comes the next one. */
const attemptMs = 6_000;

/**
 * A way between two pages that are there is found within 2 s, over TLS within 4 s. Without one after
 * this time, the connection counts as failed: people are told, and the server may change the route. It
 * is tried on.
 */
const noWayMs = 6_000;

/** Nobody is helped if both sides restart at the same time: the polite one waits a little longer. */
const politeMs = 1_500;

/** Attempts without any answer after which the connection counts as failed, too. */
const attemptsUntilFailed = 4;

export function createLinkHealth(options: LinkHealthOptions): LinkHealth {
  const { isPolite, onChange, onRestart } = options;
  let state: MediaState = "connecting";
  let wasConnected = false;
  let attempts = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let noWayTimer: ReturnType<typeof setTimeout> | undefined;
  const setState = (next: MediaState): void => {
    if (next !== state) {
      state = next;
      onChange();
    }
  };
  const attemptAfter = (waitMs: number): void => {
    clearTimeout(timer);
    timer = setTimeout(
      () => {
        attempts += 1;
        onRestart();
        if (state === "failed") {
          onChange(); // the report of the failure may have been lost
        } else if (attempts >= attemptsUntilFailed) {
          setState("failed");
        }
        attemptAfter(attemptMs * Math.min(attempts, 3));
      },
      waitMs + (isPolite ? politeMs : 0),
    );
  };
  const stopTimers = (): void => {
    clearTimeout(timer);
    clearTimeout(noWayTimer);
    noWayTimer = undefined;
  };
  attemptAfter(2 * attemptMs);
  return {
    state: () => state,
    onNegotiated: () => {
      if (state !== "connected" && noWayTimer === undefined) {
        noWayTimer = setTimeout(() => {
          noWayTimer = undefined;
          setState("failed");
        }, noWayMs);
      }
    },
    onState: (connection) => {
      if (connection === "connected") {
        stopTimers();
        wasConnected = true;
        attempts = 0;
        setState("connected");
      } else if (connection === "disconnected" || connection === "failed") {
        if (state !== "failed") {
          setState(wasConnected ? "reconnecting" : "connecting");
        }
        attemptAfter(connection === "failed" && attempts === 0 ? 0 : disconnectedMs);
      }
    },
    close: stopTimers,
  };
}
