/** Converts `getStats` of one connection to the figures of an interval. Pure. */
export type Counters = Readonly<{
  atMs: number;
  packetsReceived: number;
  packetsLost: number;
  bytesReceived: number;
  framesDecoded: number;
  /** Of audio. */
  samplesReceived: number;
}>;

export type Sample = Readonly<{
  rttMs: number | undefined;
  /** Of all packets, 0 to 1; the worse of both directions. */
  loss: number;
  /** In bit/s. */
  receivedBitrate: number;
  /** What the browser believes that it can send, in bit/s. */
  sendableBitrate: number | undefined;
}>;

/** The entries of a report, as far as they are read here. */
export type StatsEntry = Readonly<{
  type: string;
  /** Of a report of the other side: when it arrived, in ms since the epoch. */
  timestamp?: number;
  kind?: string;
  packetsReceived?: number;
  packetsLost?: number;
  bytesReceived?: number;
  framesDecoded?: number;
  totalSamplesReceived?: number;
  fractionLost?: number;
  roundTripTime?: number;
  nominated?: boolean;
  state?: string;
  currentRoundTripTime?: number;
  availableOutgoingBitrate?: number;
}>;

export function countersOf(entries: readonly StatsEntry[], atMs: number): Counters {
  const inbound = entries.filter(({ type }) => type === "inbound-rtp");
  const sum = (read: (entry: StatsEntry) => number | undefined): number =>
    inbound.reduce((total, entry) => total + (read(entry) ?? 0), 0);
  return {
    atMs,
    packetsReceived: sum((entry) => entry.packetsReceived),
    packetsLost: sum((entry) => entry.packetsLost),
    bytesReceived: sum((entry) => entry.bytesReceived),
    framesDecoded: sum((entry) => entry.framesDecoded),
    samplesReceived: sum((entry) => entry.totalSamplesReceived),
  };
}

export function sampleOf(entries: readonly StatsEntry[], before: Counters, now: Counters): Sample {
  const pair = selectedPairOf(entries);
  // Audio reports arrive about every five seconds: an old one does not describe this interval.
  const newest = Math.max(...entries.map(({ timestamp = 0 }) => timestamp));
  const remote = entries.filter(
    ({ type, timestamp = newest }) =>
      type === "remote-inbound-rtp" && timestamp >= newest - (now.atMs - before.atMs),
  );
  const lost = Math.max(0, now.packetsLost - before.packetsLost);
  const received = Math.max(0, now.packetsReceived - before.packetsReceived);
  const inboundLoss = lost + received === 0 ? 0 : lost / (lost + received);
  const outboundLoss = Math.max(0, ...remote.map(({ fractionLost = 0 }) => fractionLost));
  const seconds = Math.max(0.001, (now.atMs - before.atMs) / 1_000);
  const rtt = pair?.currentRoundTripTime ?? remote[0]?.roundTripTime;
  return {
    rttMs: rtt === undefined ? undefined : rtt * 1_000,
    loss: Math.max(inboundLoss, outboundLoss),
    receivedBitrate: (Math.max(0, now.bytesReceived - before.bytesReceived) * 8) / seconds,
    sendableBitrate: pair?.availableOutgoingBitrate,
  };
}

/** The candidate pair in use. While Chromium checks it again, only its estimate identifies it. */
export function selectedPairOf(entries: readonly StatsEntry[]): StatsEntry | undefined {
  const pairs = entries.filter(({ type }) => type === "candidate-pair");
  return (
    pairs.find(({ availableOutgoingBitrate = 0 }) => availableOutgoingBitrate > 0) ??
    pairs.find(({ nominated, state }) => nominated && state === "succeeded")
  );
}

/** Of everything that came over the connection, reports included. */
export function receivedBytesOf(entries: readonly StatsEntry[]): number {
  return entries.reduce(
    (sum, { type, bytesReceived = 0 }) => sum + (type === "candidate-pair" ? bytesReceived : 0),
    0,
  );
}

/** A report of `getStats`. */
export function entriesOf(report: Readonly<{ forEach(add: (entry: StatsEntry) => void): void }>) {
  const entries: StatsEntry[] = [];
  report.forEach((entry: StatsEntry) => entries.push(entry));
  return entries;
}

/** Whether pictures or sound of the other side were decoded. */
export function isEstablished({
  framesDecoded,
  samplesReceived,
  bytesReceived,
}: Counters): boolean {
  return framesDecoded > 0 || (samplesReceived > 0 && bytesReceived > 0);
}
