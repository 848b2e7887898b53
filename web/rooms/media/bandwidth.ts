/** Whether a connection carries a large picture. Pure. */

/**
 * `unknown`: the browser's estimate starts low on every connection. It must not cost the size of the
 * picture, which browsers raise again in steps of many seconds.
 */
export type Bandwidth = "unknown" | "enough" | "scarce";

export type BandwidthState = Readonly<{
  bandwidth: Bandwidth;
  /** Since when the estimate has called for a change, or the picture has been small. */
  sinceMs: number;
  /** How often the large picture was given up, which increases the delay of the next try. */
  count: number;
}>;

/** In bit/s. Below this, 720 lines are blurry. */
const scarceBitrate = 350_000;

/** With the small picture, the estimate only gets so far if the network carries more. */
const ampleBitrate = 500_000;

const unknownMs = 3_000;

/** Two low estimates in a row. */
const scarceMs = 600;

const ampleMs = 5_000;

/** The estimate only rises with what is sent: after this time the large picture is tried. */
const retryMs = 15_000;

const maxRetryMs = 120_000;

export function initialBandwidth(nowMs: number): BandwidthState {
  return { bandwidth: "unknown", sinceMs: nowMs, count: 0 };
}

/** `sendable`: what the browser believes that it can send, in bit/s. */
export function nextBandwidth(
  state: BandwidthState,
  sendable: number,
  nowMs: number,
): BandwidthState {
  const { bandwidth, sinceMs, count } = state;
  const passedMs = nowMs - sinceMs;
  if (bandwidth === "scarce") {
    const waitMs =
      sendable >= ampleBitrate ? ampleMs : Math.min(maxRetryMs, retryMs * 2 ** (count - 1));
    return passedMs < waitMs ? state : { bandwidth: "enough", sinceMs: nowMs, count };
  }
  if (sendable < scarceBitrate) {
    return passedMs < scarceMs ? state : { bandwidth: "scarce", sinceMs: nowMs, count: count + 1 };
  }
  return bandwidth === "unknown" && passedMs < unknownMs
    ? state
    : { bandwidth: "enough", sinceMs: nowMs, count };
}
