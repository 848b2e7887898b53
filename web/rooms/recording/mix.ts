/** One picture and one sound of everybody in the call, for a recording. */
import { containedRect } from "../ui/letterbox.ts";
import { gridOf, type Cell } from "./grid.ts";

export type MixSource = Readonly<{
  id: string;
  /** Undefined: not shown. */
  video: MediaStream | undefined;
  audio: MediaStream | undefined;
}>;

export type Mix = Readonly<{ stream: MediaStream; close(): void }>;

const size = { width: 1280, height: 720 };

const framesPerSecond = 15;

/** `sources` is read again and again: people come, leave, and switch their cameras. */
export function createMix(sources: () => readonly MixSource[]): Mix {
  const canvas = document.createElement("canvas");
  canvas.width = size.width;
  canvas.height = size.height;
  const context = canvas.getContext("2d");
  const pictures = new Map<MediaStream, HTMLVideoElement>();
  const sound = createSoundMix();
  const draw = (): void => {
    const present = sources();
    sound.use(present.map(({ audio }) => audio).filter((audio) => audio !== undefined));
    const streams = present.map(({ video }) => video).filter((video) => video !== undefined);
    dropUnused(pictures, streams);
    if (context !== null) {
      paint(
        context,
        streams.map((stream) => pictureOf(pictures, stream)),
      );
    }
  };
  draw();
  // Not by animation frames: they stop while the page is in the background.
  const timer = setInterval(draw, 1_000 / framesPerSecond);
  const [picture] = canvas.captureStream(framesPerSecond).getVideoTracks();
  return {
    stream: new MediaStream([...(picture === undefined ? [] : [picture]), sound.track]),
    close: () => {
      clearInterval(timer);
      picture?.stop();
      dropUnused(pictures, []);
      sound.close();
    },
  };
}

function paint(context: CanvasRenderingContext2D, pictures: readonly HTMLVideoElement[]): void {
  context.fillStyle = "#0b0d11";
  context.fillRect(0, 0, size.width, size.height);
  const cells = gridOf(pictures.length, size.width, size.height);
  for (const [index, picture] of pictures.entries()) {
    const cell = cells[index];
    if (cell !== undefined && picture.videoWidth > 0) {
      paintPicture(context, picture, cell);
    }
  }
}

function paintPicture(
  context: CanvasRenderingContext2D,
  picture: HTMLVideoElement,
  cell: Cell,
): void {
  const { videoWidth: width, videoHeight: height } = picture;
  const rect = containedRect(cell, { width, height });
  const [left, top] = [cell.left + rect.left, cell.top + rect.top];
  context.drawImage(picture, left, top, rect.width, rect.height);
}

function pictureOf(
  pictures: Map<MediaStream, HTMLVideoElement>,
  stream: MediaStream,
): HTMLVideoElement {
  const known = pictures.get(stream);
  if (known !== undefined) {
    return known;
  }
  const picture = document.createElement("video");
  picture.muted = true;
  picture.playsInline = true;
  picture.srcObject = stream;
  picture.play().catch(() => undefined); // plays when there is something to play
  pictures.set(stream, picture);
  return picture;
}

function dropUnused(
  pictures: Map<MediaStream, HTMLVideoElement>,
  used: readonly MediaStream[],
): void {
  for (const [stream, picture] of pictures) {
    if (!used.includes(stream)) {
      picture.srcObject = null;
      pictures.delete(stream);
    }
  }
}

type SoundMix = Readonly<{
  track: MediaStreamTrack;
  use(streams: readonly MediaStream[]): void;
  close(): void;
}>;

function createSoundMix(): SoundMix {
  const context = new AudioContext();
  const destination = context.createMediaStreamDestination();
  const inputs = new Map<string, MediaStreamAudioSourceNode>();
  void context.resume().catch(() => undefined);
  const [track] = destination.stream.getAudioTracks();
  if (track === undefined) {
    throw new Error("The browser cannot mix sound.");
  }
  return {
    track,
    use: (streams) => {
      const tracks = streams.flatMap((stream) => stream.getAudioTracks());
      for (const [id, input] of inputs) {
        if (!tracks.some((one) => one.id === id)) {
          input.disconnect();
          inputs.delete(id);
        }
      }
      for (const one of tracks.filter(({ id }) => !inputs.has(id))) {
        const input = context.createMediaStreamSource(new MediaStream([one]));
        input.connect(destination);
        inputs.set(one.id, input);
      }
    },
    close: () => {
      track.stop();
      void context.close();
    },
  };
}
