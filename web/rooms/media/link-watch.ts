/**
 * Reads the statistics of one connection: whether its bandwidth carries a large picture, and whether
 * anything arrives. A browser notices an interruption after five seconds or more only.
 */
import { entriesOf, receivedBytesOf, selectedPairOf } from "../quality/samples.ts";
import { initialBandwidth, nextBandwidth, type Bandwidth } from "./bandwidth.ts";
import { initialGap, nextGap, type Gap } from "./gap.ts";

export type LinkWatchOptions = Readonly<{
  stats(): Promise<RTCStatsReport>;
  onBandwidth(bandwidth: Bandwidth): void;
  onGap(gap: Gap): void;
}>;

export type LinkWatch = Readonly<{ close(): void }>;

const intervalMs = 500;

/** After a first low estimate: the picture freezes until the page sends less. */
const fallIntervalMs = 200;

/** While nothing arrives: the first packet afterwards is to be seen soon. */
const gapIntervalMs = 100;

export function createLinkWatch({ stats, onBandwidth, onGap }: LinkWatchOptions): LinkWatch {
  let bandwidth = initialBandwidth(performance.now());
  let gap = initialGap;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  const read = async (): Promise<void> => {
    const entries = entriesOf(await stats());
    if (isClosed) {
      return;
    }
    const nowMs = performance.now();
    const before = { gap: gap.gap, bandwidth: bandwidth.bandwidth };
    gap = nextGap(gap, receivedBytesOf(entries), nowMs);
    const sendable = selectedPairOf(entries)?.availableOutgoingBitrate;
    if (sendable !== undefined && gap.arrivedAtMs === nowMs) {
      bandwidth = nextBandwidth(bandwidth, sendable, nowMs);
    } // otherwise the estimate is of a network that is away
    if (gap.gap !== before.gap) {
      onGap(gap.gap);
    }
    if (bandwidth.bandwidth !== before.bandwidth) {
      onBandwidth(bandwidth.bandwidth);
    }
  };
  const waitMs = (): number => {
    if (performance.now() - gap.arrivedAtMs > gapIntervalMs) {
      return gapIntervalMs;
    }
    const isFalling = bandwidth.bandwidth === "enough" && bandwidth.sinceMs < gap.arrivedAtMs;
    return isFalling ? fallIntervalMs : intervalMs;
  };
  const plan = (): void => {
    timer = setTimeout(() => {
      void read()
        .catch(() => undefined) // the connection was closed
        .finally(() => isClosed || plan());
    }, waitMs());
  };
  plan();
  return {
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
