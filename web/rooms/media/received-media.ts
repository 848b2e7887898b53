/** The tracks of one peer, sorted into camera (with the microphone) and screen. */
import type { CallSignal } from "../../../src/contracts/room-messages.ts";
import { sourceOfTrack } from "./negotiation.ts";

export type ReceivedMedia = Readonly<{
  camera: MediaStream;
  screen: MediaStream;
  /** The names of the streams in the description that is applied next. */
  setNames(names: CallSignal["streams"]): void;
  onTrack(event: RTCTrackEvent): void;
  clear(): void;
}>;

export function createReceivedMedia(onChange: () => void): ReceivedMedia {
  const camera = new MediaStream();
  const screen = new MediaStream();
  let names: CallSignal["streams"];
  const replace = (stream: MediaStream, track: MediaStreamTrack): void => {
    for (const old of stream.getTracks()) {
      if (old.kind === track.kind && old !== track) {
        stream.removeTrack(old);
      }
    }
    stream.addTrack(track);
  };
  return {
    camera,
    screen,
    setNames: (next) => {
      names = next ?? names;
    },
    onTrack: ({ track, streams, transceiver, target }) => {
      const position = (target as RTCPeerConnection).getTransceivers().indexOf(transceiver);
      const streamIds = streams.map(({ id }) => id);
      const found = { kind: track.kind, streamIds, position };
      replace(sourceOfTrack(found, names) === "screen" ? screen : camera, track);
      onChange();
    },
    clear: () => {
      for (const stream of [camera, screen]) {
        stream.getTracks().forEach((track) => stream.removeTrack(track));
      }
    },
  };
}
