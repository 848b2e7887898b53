/** Recording the call: consent, start, end, and the indicator for everybody. */
import { mustAgreeToRecording } from "../../../src/contracts/signalling.ts";
import type { RoomApi } from "../api.ts";
import type { Peers } from "../peers.ts";
import type { RecordingView } from "../room.ts";
import type { Signalling } from "../signalling/signalling-client.ts";
import { ownerOfToken } from "../signalling/token.ts";
import type { Store } from "../store.ts";
import { mustAgree, verdictOf } from "./answers.ts";
import { openChunkStore } from "./chunk-database.ts";
import type { ChunkStore } from "./chunk-store.ts";
import type { MixSource } from "./mix.ts";
import type { CallRecorder } from "./recorder.ts";
import { finishAbandoned } from "./uploader.ts";

export type RecordingOptions = Readonly<{
  store: Store;
  signalling: Signalling;
  api: RoomApi;
  peers: Peers;
  /** The recording began or ended: the others are shown it. */
  onChange(): void;
}>;

/** Nobody answered. */
const answerMs = 60_000;

/** By then a recording of the page before a reload counts as abandoned. */
const abandonedMs = 12_000;

export class Recording {
  readonly #options: RecordingOptions;
  #recorder: CallRecorder | undefined;
  #chunks: Promise<ChunkStore> | undefined;
  readonly #answers = new Map<string, boolean>();
  /** Pages that were asked and may still answer. */
  readonly #asked = new Set<string>();
  #answerTimer: ReturnType<typeof setTimeout> | undefined;
  /** Everybody has agreed, and the recorder is being prepared. */
  #isStarting = false;
  /** This person has agreed in this call, and is not asked again. */
  #hasAgreed = false;
  #isClosed = false;

  constructor(options: RecordingOptions) {
    this.#options = options;
    options.signalling.on("record", (message) => {
      if (message.step === "ask") {
        this.#onAsked(message.from);
      } else {
        this.#onAnswer(message.from, message.isAccepted);
      }
    });
  }

  async ask(): Promise<void> {
    const { state } = this.#view();
    if (state === "asking" || this.#recorder !== undefined) {
      return;
    }
    this.#answers.clear();
    this.#asked.clear();
    this.#setView("asking");
    if (!(await this.#askMissing())) {
      this.#setView("failed");
      return;
    }
    clearTimeout(this.#answerTimer);
    this.#answerTimer = setTimeout(() => this.#onSilence(), answerMs);
    await this.#decide();
  }

  answer(isAccepted: boolean): void {
    this.#hasAgreed = isAccepted;
    if (this.#view().state === "asked") {
      this.#setView("off");
      this.refresh();
    }
    void this.#options.signalling.request("record", { step: "answer", isAccepted });
  }

  async stop(): Promise<void> {
    const recorder = this.#recorder;
    this.#recorder = undefined;
    clearTimeout(this.#answerTimer);
    if (this.#isOwn()) {
      this.#setView("off");
    }
    if (recorder !== undefined) {
      this.#options.store.update({ isSavingRecording: true });
      const isComplete = await recorder.stop();
      this.#options.store.update({
        isSavingRecording: false,
        ...(isComplete ? {} : { notice: "recording-incomplete" as const }),
      });
    }
  }

  /** Who is in the call, or what they show, changed. */
  refresh(): void {
    const { state, by } = this.#view();
    this.#forgetGone();
    if (state === "asking") {
      void this.#askMissing();
      void this.#decide();
    } else if (this.#recorder !== undefined) {
      this.#review();
    } else if (!this.#isBusy()) {
      const recording = this.#options.peers.inCall().find((peer) => peer.state.isRecording);
      if (recording?.id !== by?.id || (state === "recording") !== (recording !== undefined)) {
        this.#setView(recording === undefined ? "off" : "recording", recording);
      }
    }
  }

  /** This page records, or has to answer somebody who is still there. */
  #isBusy(): boolean {
    const { state, by } = this.#view();
    return this.#isOwn()
      ? ["asking", "recording", "paused"].includes(state)
      : state === "asked" && this.#options.peers.inCall().some(({ id }) => id === by?.id);
  }

  /** Not in the call any more. */
  onLeft(): void {
    this.#hasAgreed = false;
    void this.stop();
    this.#setView("off");
  }

  onHello(): void {
    this.#asked.clear(); // their answers may have been lost with the connection
    this.refresh();
    void this.#finishAbandoned();
    setTimeout(() => void this.#finishAbandoned(), abandonedMs);
  }

  close(): void {
    this.#isClosed = true;
    void this.stop();
  }

  #onAsked(from: string): void {
    const by = this.#options.peers.find(from);
    const { self } = this.#options.store.view();
    if (by === undefined || self === undefined || !mustAgreeToRecording(self.role)) {
      return;
    }
    if (this.#hasAgreed) {
      this.answer(true);
    } else {
      this.#setView("asked", by);
    }
  }

  #onAnswer(from: string, isAccepted: boolean): void {
    this.#answers.set(from, isAccepted);
    if (this.#view().state === "asking") {
      void this.#decide();
    } else if (this.#recorder !== undefined) {
      this.#review();
    }
  }

  #onSilence(): void {
    if (this.#view().state === "asking") {
      this.#setView("refused");
    }
  }

  async #decide(): Promise<void> {
    const verdict = verdictOf(this.#options.peers.inCall(), this.#answers);
    if (verdict === "open" || this.#view().state !== "asking") {
      return;
    }
    clearTimeout(this.#answerTimer);
    if (verdict === "refused") {
      this.#setView("refused");
    } else if (!this.#isStarting) {
      this.#isStarting = true;
      await this.#start();
      this.#isStarting = false;
    }
  }

  /** Out: false if they could not be asked. A page that has agreed answers by itself. */
  async #askMissing(): Promise<boolean> {
    const { peers, signalling } = this.#options;
    const missing = peers
      .inCall()
      .filter((peer) => mustAgree(peer) && !this.#answers.has(peer.id) && !this.#asked.has(peer.id))
      .map(({ id }) => id);
    if (missing.length === 0) {
      return true;
    }
    missing.forEach((id) => this.#asked.add(id));
    const { ok } = await signalling.request("record", { step: "ask" });
    if (!ok) {
      missing.forEach((id) => this.#asked.delete(id));
    }
    return ok;
  }

  /** Somebody came in during the recording: it pauses until they have agreed. */
  #review(): void {
    const verdict = verdictOf(this.#options.peers.inCall(), this.#answers);
    if (verdict === "refused") {
      void this.stop();
      return this.#setView("refused");
    }
    const state = verdict === "open" ? "paused" : "recording";
    if (this.#view().state !== state) {
      this.#recorder?.setPaused(state === "paused");
      this.#setView(state);
    }
    void this.#askMissing();
  }

  /** The server lacks the consent of somebody whose answer this page has: asks them again. */
  #onNoConsent(): void {
    const isAgreed = verdictOf(this.#options.peers.inCall(), this.#answers) === "accepted";
    if (this.#recorder !== undefined && isAgreed) {
      this.#answers.clear();
      this.#asked.clear();
      this.#review();
    }
  }

  /** An agreement ends when the person leaves the call. */
  #forgetGone(): void {
    const present = new Set(this.#options.peers.inCall().map(({ id }) => id));
    for (const id of [...this.#answers.keys(), ...this.#asked].filter((one) => !present.has(one))) {
      this.#answers.delete(id);
      this.#asked.delete(id);
    }
  }

  /** The recording is not shown before it can begin, which takes seconds on a busy device. */
  async #start(): Promise<void> {
    const { api, signalling, store } = this.#options;
    try {
      const { prepareRecorder } = await import("./recorder.ts"); // most calls are not recorded
      const chunks = await this.#openChunks();
      const ready = await prepareRecorder({
        ...{ api, store: chunks, owner: ownerOfToken(signalling.token()) },
        sources: () => this.#sources(),
        onNoConsent: () => this.#onNoConsent(),
        onFailed: () => void this.stop().then(() => this.#isBusy() || this.#setView("failed")),
      });
      if (store.view().phase === "in-call" && this.#view().state === "asking") {
        this.#setView("recording");
        this.#recorder = ready.start();
        this.#review();
      } else {
        await ready.discard(); // refused, or left, in the meantime
      }
    } catch {
      this.#setView("failed");
    }
  }

  #sources(): readonly MixSource[] {
    const { local, peers } = this.#options.store.view();
    const others = peers
      .filter((peer) => peer.isInCall && (!mustAgree(peer) || this.#answers.get(peer.id) === true))
      .flatMap(({ id, stream, screen, state }) => [
        { id, video: state.isCameraOn ? stream : undefined, audio: stream },
        { id: `${id} screen`, video: screen, audio: undefined },
      ]);
    // Includes the recording person's voice, but not their camera.
    return [...others, { id: "self", video: local.screen, audio: local.stream }];
  }

  async #finishAbandoned(): Promise<void> {
    const { api, signalling } = this.#options;
    const owner = ownerOfToken(signalling.token());
    if (this.#recorder === undefined && !this.#isClosed) {
      const store = await this.#openChunks();
      await finishAbandoned(api, store, { owner, isCancelled: () => this.#isClosed });
    }
  }

  #openChunks(): Promise<ChunkStore> {
    this.#chunks ??= openChunkStore();
    return this.#chunks;
  }

  #view(): RecordingView {
    return this.#options.store.view().recording;
  }

  #isOwn(): boolean {
    return this.#view().by === undefined;
  }

  #setView(state: RecordingView["state"], by?: RecordingView["by"]): void {
    this.#options.store.update({ recording: { state, by } });
    this.#options.onChange();
  }
}
