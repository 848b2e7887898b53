/**
 * What one connection sends: three transceivers that stay, for microphone, camera and screen. Devices
 * are switched by `replaceTrack`, without negotiation.
 */
import { scaleFor, type SendLimits } from "./limits.ts";
import type { LocalTracks } from "./media-transport.ts";
import { trackSources, type StreamNames, type TrackSource } from "./negotiation.ts";

export type Senders = Readonly<{
  /** The names of the streams, for the other side. */
  names: StreamNames;
  /** For the side that offers first. */
  create(pc: RTCPeerConnection): void;
  /** For the side that answers: takes over the transceivers of the offer. */
  adopt(pc: RTCPeerConnection): void;
  /** The connection is gone; the next one is set by `create` or `adopt`. */
  detach(): void;
  setTracks(tracks: LocalTracks): Promise<void>;
  setLimits(limits: SendLimits): Promise<void>;
  /** Sends the present tracks within the present limits. */
  apply(): Promise<void>;
  /** Sends pictures that need no earlier one: those were lost while the connection was down. */
  refreshPictures(): Promise<void>;
}>;

type SenderSet = Partial<Record<TrackSource, RTCRtpSender>>;

export function createSenders(firstTracks: LocalTracks, firstLimits: SendLimits): Senders {
  const [camera, screen] = [new MediaStream(), new MediaStream()];
  // The microphone belongs to the camera, so that a browser keeps both in step.
  const streamOf = (source: TrackSource): MediaStream => (source === "screen" ? screen : camera);
  let tracks = firstTracks;
  let limits = firstLimits;
  let senders: SenderSet = {};

  const apply = async (): Promise<void> => {
    for (const source of trackSources) {
      const sender = senders[source];
      if (sender !== undefined) {
        await applyTrack(sender, tracks[source]);
        await applyLimits(sender, source, limits);
      }
    }
  };
  return {
    names: { camera: camera.id, screen: screen.id },
    create: (pc) => {
      senders = {};
      for (const source of trackSources) {
        const kind = source === "audio" ? "audio" : "video";
        const streams = [streamOf(source)];
        const { sender } = pc.addTransceiver(tracks[source] ?? kind, {
          direction: "sendrecv",
          streams,
        });
        senders[source] = sender;
      }
    },
    adopt: (pc) => {
      senders = {};
      for (const [index, transceiver] of pc.getTransceivers().entries()) {
        const source = trackSources[index];
        if (source !== undefined) {
          transceiver.direction = "sendrecv";
          setStream(transceiver.sender, streamOf(source));
          senders[source] = transceiver.sender;
        }
      }
    },
    detach: () => {
      senders = {};
    },
    setTracks: (next) => {
      tracks = next;
      return apply();
    },
    setLimits: (next) => {
      limits = next;
      return apply();
    },
    apply,
    refreshPictures: async () => {
      for (const sender of [senders.camera, senders.screen]) {
        if (sender !== undefined && sender.track !== null) {
          await setActive(sender, false);
          await setActive(sender, true);
        }
      }
    },
  };
}

/** An encoder that starts again begins with a whole picture; no other way works in all browsers. */
async function setActive(sender: RTCRtpSender, isActive: boolean): Promise<void> {
  const parameters = sender.getParameters();
  parameters.encodings.forEach((encoding) => {
    encoding.active = isActive;
  });
  await sender.setParameters(parameters).catch(() => undefined);
}

/** Old browsers lack `setStreams`; the other side then sorts by position. */
function setStream(sender: RTCRtpSender, stream: MediaStream): void {
  if ("setStreams" in sender) {
    sender.setStreams(stream);
  }
}

async function applyTrack(sender: RTCRtpSender, track: MediaStreamTrack | null): Promise<void> {
  if (sender.track !== track) {
    await sender.replaceTrack(track);
  }
}

/** The sound goes first; the picture loses details before it stands still. */
async function applyLimits(
  sender: RTCRtpSender,
  source: TrackSource,
  limits: SendLimits,
): Promise<void> {
  const parameters = sender.getParameters();
  const [encoding] = parameters.encodings;
  if (encoding === undefined) {
    return; // not negotiated yet
  }
  encoding.priority = source === "audio" ? "high" : "low";
  encoding.networkPriority = source === "audio" ? "high" : "low";
  encoding.maxBitrate = limits[source].maxBitrate;
  if (source !== "audio") {
    const limit = limits[source];
    encoding.maxFramerate = limit.maxFramerate;
    encoding.scaleResolutionDownBy = scaleFor(sender.track?.getSettings().height, limit);
    parameters.degradationPreference = source === "screen" ? "maintain-resolution" : "balanced";
  }
  // Refused by a browser that knows one of them not; it then sends as it thinks best.
  await sender.setParameters(parameters).catch(() => undefined);
}
