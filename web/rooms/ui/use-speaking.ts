import { useEffect, useState } from "react";
import { levelOf } from "../media/level.ts";
import { resumeOnGesture } from "../media/resume-audio.ts";
import type { PeerView } from "../room.ts";

/** As loud as speech in a quiet room. */
const speakingLevel = 0.35;

/** Bridges the pauses between words. */
const holdMs = 800;

const intervalMs = 150;

type Ear = Readonly<{ id: string; analyser: AnalyserNode; source: MediaStreamAudioSourceNode }>;

/** The ids of those who speak at the moment. */
export function useSpeaking(peers: readonly PeerView[]): ReadonlySet<string> {
  const [speaking, setSpeaking] = useState<ReadonlySet<string>>(new Set());
  // Effects compare by identity, and the list of peers is a new one with each change of any of them.
  const heard = peers.filter(({ stream, state }) => stream !== undefined && state.isMicOn);
  const key = heard.map(({ id, stream }) => `${id} ${audioIdOf(stream)}`).join(",");
  useEffect(() => {
    if (key === "") {
      setSpeaking(new Set());
      return undefined;
    }
    return listen(heard, setSpeaking);
    // oxlint-disable-next-line react/exhaustive-deps -- `key` says whom `heard` has
  }, [key]);
  return speaking;
}

function audioIdOf(stream: MediaStream | undefined): string {
  return stream?.getAudioTracks()[0]?.id ?? "";
}

function listen(
  peers: readonly PeerView[],
  onChange: (speaking: ReadonlySet<string>) => void,
): () => void {
  const context = new AudioContext();
  const stopResuming = resumeOnGesture(context);
  const ears = peers.flatMap((peer) => earOf(context, peer) ?? []);
  const untilMs = new Map<string, number>();
  let shown: string | undefined; // that nobody speaks is reported, too: somebody may have before
  const timer = setInterval(() => {
    const nowMs = performance.now();
    for (const { id, analyser } of ears) {
      if (loudness(analyser) > speakingLevel) {
        untilMs.set(id, nowMs + holdMs);
      }
    }
    const speaking = [...untilMs].filter(([, until]) => until > nowMs).map(([id]) => id);
    if (speaking.join() !== shown) {
      shown = speaking.join();
      onChange(new Set(speaking));
    }
  }, intervalMs);
  return () => {
    clearInterval(timer);
    stopResuming();
    ears.forEach(({ source }) => source.disconnect());
    void context.close();
  };
}

function earOf(context: AudioContext, { id, stream }: PeerView): Ear | undefined {
  if (stream === undefined || stream.getAudioTracks().length === 0) {
    return undefined;
  }
  const source = context.createMediaStreamSource(stream);
  const analyser = context.createAnalyser();
  analyser.fftSize = 1024;
  source.connect(analyser);
  return { id, analyser, source };
}

function loudness(analyser: AnalyserNode): number {
  const samples = new Float32Array(analyser.fftSize);
  analyser.getFloatTimeDomainData(samples);
  return levelOf(samples);
}
