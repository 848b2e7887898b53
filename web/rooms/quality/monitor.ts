/** Watches the connections of a call, from joining to leaving. */
import type { CallQuality } from "../../../src/contracts/room-messages.ts";
import type { MediaTransport } from "../media/media-transport.ts";
import { initialAudioOnly, nextAudioOnly } from "./audio-only.ts";
import { gradeOf, initialQuality, nextQuality, worstOf } from "./grade.ts";
import {
  countersOf,
  entriesOf,
  isEstablished,
  sampleOf,
  type Counters,
  type StatsEntry,
} from "./samples.ts";

export type MonitorOptions = Readonly<{
  transport: Pick<MediaTransport, "stats">;
  isVideoSent(): boolean;
  onQuality(quality: CallQuality): void;
  onVideoSuspended(isSuspended: boolean): void;
  /** Experts do not count for the session: their media do not establish it. */
  isExpert(peerId: string): boolean;
  /** Media of another peer arrive; once. */
  onEstablished(): void;
}>;

const intervalMs = 2_000;

/** Until media arrive, so that the others learn of it soon. */
const firstIntervalMs = 250;

export class QualityMonitor {
  readonly #options: MonitorOptions;
  readonly #counters = new Map<string, Counters>();
  #quality = initialQuality;
  #audioOnly = initialAudioOnly;
  #isEstablished = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  #gradedAtMs = 0;

  constructor(options: MonitorOptions) {
    this.#options = options;
    this.#plan();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #plan(): void {
    if (!this.#isClosed) {
      const waitMs = this.#isEstablished ? intervalMs : firstIntervalMs;
      this.#timer = setTimeout(() => void this.#read().finally(() => this.#plan()), waitMs);
    }
  }

  async #read(): Promise<void> {
    const reports = await this.#options.transport.stats().catch(() => undefined);
    if (reports === undefined || this.#isClosed) {
      return; // a connection was closed during the read
    }
    const nowMs = performance.now();
    const entriesById = new Map([...reports].map(([id, report]) => [id, entriesOf(report)]));
    const ofParties = [...entriesById].filter(([id]) => !this.#options.isExpert(id));
    this.#checkEstablished(
      ofParties.map(([, entries]) => entries),
      nowMs,
    );
    if (nowMs - this.#gradedAtMs >= intervalMs - firstIntervalMs) {
      this.#gradedAtMs = nowMs;
      this.#grade(entriesById, nowMs);
    }
  }

  #checkEstablished(all: readonly (readonly StatsEntry[])[], nowMs: number): void {
    if (!this.#isEstablished && all.some((entries) => isEstablished(countersOf(entries, nowMs)))) {
      this.#isEstablished = true;
      this.#options.onEstablished();
    }
  }

  #grade(entriesById: ReadonlyMap<string, readonly StatsEntry[]>, nowMs: number): void {
    const grades: CallQuality[] = [];
    for (const [id, entries] of entriesById) {
      const now = countersOf(entries, nowMs);
      const before = this.#counters.get(id);
      this.#counters.set(id, now);
      if (before !== undefined) {
        grades.push(gradeOf(sampleOf(entries, before, now), this.#options.isVideoSent()));
      }
    }
    if (grades.length > 0) {
      this.#update(worstOf(grades), nowMs);
    }
  }

  #update(grade: CallQuality, nowMs: number): void {
    const [quality, audioOnly] = [this.#quality.quality, this.#audioOnly.isSuspended];
    this.#quality = nextQuality(this.#quality, grade);
    this.#audioOnly = nextAudioOnly(
      this.#audioOnly,
      { now: grade, shown: this.#quality.quality },
      nowMs,
    );
    if (this.#quality.quality !== quality) {
      this.#options.onQuality(this.#quality.quality);
    }
    if (this.#audioOnly.isSuspended !== audioOnly) {
      this.#options.onVideoSuspended(this.#audioOnly.isSuspended);
    }
  }
}
