/**
 * What one connection sends: three transceivers that stay, for microphone, camera and screen. Devices
 * are switched by `replaceTrack`, without negotiation.
 */
import type { Bandwidth } from "./bandwidth.ts";
import { cameraLimit, scaleFor, type SendLimits } from "./limits.ts";
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
  /** With less bandwidth, a smaller picture that begins at once; see `setCodec`. */
  setBandwidth(bandwidth: Bandwidth): Promise<void>;
  /** Sends the present tracks within the present limits. */
  apply(): Promise<void>;
  /**
   * Sends no pictures; or sends them, beginning with a whole one, because those before it were lost.
   * Restarting the encoder does that; nothing else works in all browsers.
   */
  setPictures(isSent: boolean): Promise<void>;
}>;

type SenderSet = Partial<Record<TrackSource, RTCRtpSender>>;

export function createSenders(firstTracks: LocalTracks, firstLimits: SendLimits): Senders {
  const [camera, screen] = [new MediaStream(), new MediaStream()];
  // The microphone belongs to the camera, so that a browser keeps both in step.
  const streamOf = (source: TrackSource): MediaStream => (source === "screen" ? screen : camera);
  let tracks = firstTracks;
  let limits = firstLimits;
  let bandwidth: Bandwidth = "unknown";
  let senders: SenderSet = {};

  const apply = async (): Promise<void> => {
    for (const source of trackSources) {
      const sender = senders[source];
      if (sender !== undefined) {
        await applyTrack(sender, tracks[source]);
        await applyLimits(sender, source, { limits, bandwidth });
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
    setBandwidth: async (next) => {
      bandwidth = next;
      await apply();
      if (senders.camera !== undefined) {
        await setCodec(senders.camera, next === "scarce" ? smallCodec : undefined);
      }
    },
    apply,
    setPictures: async (isSent) => {
      await setActive([senders.camera, senders.screen], false);
      if (isSent) {
        await setActive([senders.camera, senders.screen], true);
      }
    },
  };
}

async function setActive(
  senders: readonly (RTCRtpSender | undefined)[],
  isActive: boolean,
): Promise<void> {
  for (const sender of senders) {
    // Without a track, too: the camera may have been switched off during the gap.
    if (sender !== undefined) {
      const parameters = sender.getParameters();
      parameters.encodings.forEach((encoding) => {
        encoding.active = isActive;
      });
      await sender.setParameters(parameters).catch(() => undefined);
    }
  }
}

/** Every browser that can choose a codec has it, beside the usual one. */
const smallCodec = "video/vp9";

type Encoding = RTCRtpEncodingParameters & { codec?: RTCRtpCodec };

/**
 * Sends with another codec, or with the usual one. The browser then forgets what it has sent. When the
 * bandwidth falls, the other side asks for all that was lost; sent again, and lost again, it blocks
 * new pictures for about seven seconds. Old browsers ignore the codec.
 */
async function setCodec(sender: RTCRtpSender, name: string | undefined): Promise<void> {
  const parameters = sender.getParameters();
  const codec = parameters.codecs.find(({ mimeType }) => mimeType.toLowerCase() === name);
  parameters.encodings.forEach((encoding: Encoding) => {
    if (codec === undefined) {
      delete encoding.codec;
    } else {
      encoding.codec = codec;
    }
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

/** The sound goes first. A browser that reduces the picture itself does so only where it may. */
async function applyLimits(
  sender: RTCRtpSender,
  source: TrackSource,
  { limits, bandwidth }: Readonly<{ limits: SendLimits; bandwidth: Bandwidth }>,
): Promise<void> {
  const parameters = sender.getParameters();
  const [encoding] = parameters.encodings;
  if (encoding === undefined) {
    return; // not negotiated yet
  }
  encoding.priority = source === "audio" ? "high" : "low";
  encoding.networkPriority = encoding.priority;
  encoding.maxBitrate = limits.audio.maxBitrate;
  if (source !== "audio") {
    const limit = source === "screen" ? limits.screen : cameraLimit(limits, bandwidth);
    encoding.maxBitrate = limit.maxBitrate;
    encoding.maxFramerate = limit.maxFramerate;
    encoding.scaleResolutionDownBy = scaleFor(sender.track?.getSettings().height, limit);
    parameters.degradationPreference =
      source === "camera" && bandwidth === "enough" ? "balanced" : "maintain-resolution";
  }
  // A browser that does not support one of them refuses all, and uses its defaults.
  await sender.setParameters(parameters).catch(() => undefined);
}
