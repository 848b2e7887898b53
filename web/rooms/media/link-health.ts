/** When a connection is down, and when it should restart ICE. */
import type { MediaState } from "../room.ts";

export type LinkHealth = Readonly<{
  /** Offer and answer were exchanged: both sides are present, only ICE has not connected. */
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

/** A short interruption recovers by itself. */
const disconnectedMs = 2_000;

/** The delay between two attempts. */
const attemptMs = 6_000;

/**
 * Two present pages connect within 2 s, over TLS within 4 s. Without a connection after
 * this time, it counts as failed: the page shows this, and the server may change the route. It
 * keeps trying.
 */
const noConnectionMs = 6_000;

/** The polite side waits a little longer, so that not both restart at the same time. */
const politeMs = 1_500;

/** Attempts without any answer after which the connection counts as failed, too. */
const attemptsUntilFailed = 4;

export function createLinkHealth(options: LinkHealthOptions): LinkHealth {
  const { isPolite, onChange, onRestart } = options;
  let state: MediaState = "connecting";
  let wasConnected = false;
  let attempts = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let noConnectionTimer: ReturnType<typeof setTimeout> | undefined;
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
    clearTimeout(noConnectionTimer);
    noConnectionTimer = undefined;
  };
  attemptAfter(2 * attemptMs);
  return {
    state: () => state,
    onNegotiated: () => {
      if (state !== "connected" && noConnectionTimer === undefined) {
        noConnectionTimer = setTimeout(() => {
          noConnectionTimer = undefined;
          setState("failed");
        }, noConnectionMs);
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
