/** Recording the call: asked, answered, begun, and shown to everybody. */
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
import { finishAbandoned, startRecorder, type CallRecorder } from "./recorder.ts";

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
  #answerTimer: ReturnType<typeof setTimeout> | undefined;
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
    this.#setView("asking");
    const ack = await this.#options.signalling.request("record", { step: "ask" });
    if (!ack.ok) {
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
    if (recorder !== undefined && !(await recorder.stop())) {
      this.#options.store.update({ notice: "recording-incomplete" });
    }
  }

  /** Who is in the call, or what they show, changed. */
  refresh(): void {
    const { peers } = this.#options;
    const { state, by } = this.#view();
    if (state === "asking") {
      void this.#decide();
    } else if (!this.#isBusy()) {
      const recording = peers.inCall().find((peer) => peer.state.isRecording);
      if (recording?.id !== by?.id || (state === "recording") !== (recording !== undefined)) {
        this.#setView(recording === undefined ? "off" : "recording", recording);
      }
    }
  }

  /** This page records, or has to answer somebody who is still there. */
  #isBusy(): boolean {
    const { state, by } = this.#view();
    const isAskerHere = this.#options.peers.inCall().some(({ id }) => id === by?.id);
    return (this.#isOwn() && state !== "off") || (state === "asked" && isAskerHere);
  }

  /** Somebody came in: they have to agree, too. */
  onNewcomer(): void {
    const needsAnswer = this.#options.peers.inCall().some((peer) => mustAgree(peer));
    if (this.#recorder !== undefined && needsAnswer) {
      void this.#options.signalling.request("record", { step: "ask" });
    }
  }

  /** Not in the call any more. */
  onLeft(): void {
    this.#hasAgreed = false;
    void this.stop();
    this.#setView("off");
  }

  onHello(): void {
    void this.#finishAbandoned();
    setTimeout(() => void this.#finishAbandoned(), abandonedMs);
  }

  close(): void {
    this.#isClosed = true;
    void this.stop();
  }

  #onAsked(from: string): void {
    const by = this.#options.peers.find(from);
    const { role } = this.#options.store.view().self ?? {};
    if (by === undefined || (role !== "requestor" && role !== "participant")) {
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
    } else if (this.#recorder !== undefined && !isAccepted) {
      void this.stop().then(() => this.#setView("refused"));
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
      return;
    }
    this.#setView("recording");
    await this.#start();
  }

  async #start(): Promise<void> {
    const { api, signalling, store } = this.#options;
    try {
      const chunks = await this.#openChunks();
      const recorder = await startRecorder({
        ...{ api, store: chunks, owner: ownerOfToken(signalling.token()) },
        sources: () => this.#sources(),
        onFailed: () => {
          void this.stop().then(() => this.#setView("failed"));
        },
      });
      if (store.view().phase === "in-call" && this.#view().state === "recording") {
        this.#recorder = recorder;
      } else {
        await recorder.stop(); // stopped while it began
      }
    } catch {
      this.#setView("failed");
    }
  }

  #sources(): readonly MixSource[] {
    const { local, peers } = this.#options.store.view();
    const others = peers
      .filter(({ isInCall }) => isInCall)
      .flatMap(({ id, stream, screen, state }) => [
        { id, video: state.isCameraOn ? stream : undefined, audio: stream },
        { id: `${id} screen`, video: screen, audio: undefined },
      ]);
    // One's own voice, but not one's own face: the recording is about what is shown.
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
