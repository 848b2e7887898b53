/** What `getStats` says of one connection, as numbers of an interval. Pure. */
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
  const pair = entries.find(
    ({ type, nominated, state }) => type === "candidate-pair" && nominated && state === "succeeded",
  );
  const remote = entries.filter(({ type }) => type === "remote-inbound-rtp");
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

/** Whether pictures or sound of the other side were decoded. */
export function isEstablished({
  framesDecoded,
  samplesReceived,
  bytesReceived,
}: Counters): boolean {
  return framesDecoded > 0 || (samplesReceived > 0 && bytesReceived > 0);
}
