/**
 * What the pages of a room see of it: one immutable view, and actions. It knows no page and no
 * framework; `useRoom` connects it with React. Actions never throw: what they could not do is in the
 * view (`notice`), with what to do about it.
 */
import type {
  AdmissionStatus,
  CallCommand,
  CallQuality,
  CommandResult,
  LeaveReason,
  Point,
  RoomPeer,
  WaitingPerson,
} from "../../src/contracts/room-messages.ts";
import type { Board, SingleChange } from "./board-shapes.ts";
import type { ChatEntry } from "./chat-messages.ts";
import type { RoomNotice } from "./notices.ts";

export type { Board, ChatEntry };

export type ConnectionState =
  | "connecting"
  | "connected"
  /** The connection was lost; it is being restored. */
  | "reconnecting"
  /** The token or the room is over, or the page was refused: nothing is tried again. */
  | "over";

/** The phase of this person's participation. */
export type CallPhase = "outside" | "waiting" | "joining" | "in-call" | "left";

export type MediaState = "connecting" | "connected" | "reconnecting" | "failed";

export type PeerView = RoomPeer &
  Readonly<{
    /** Camera and microphone. */
    stream: MediaStream | undefined;
    screen: MediaStream | undefined;
    media: MediaState;
  }>;

/** Why a device cannot be used. */
export type DeviceFault = "denied" | "missing" | "busy" | "unsupported" | "insecure" | "failed";

export type LocalMedia = Readonly<{
  /** Camera and microphone as sent; undefined before they were asked for. */
  stream: MediaStream | undefined;
  screen: MediaStream | undefined;
  /** A device has not opened for seconds: the browser may be asking for permission. */
  isAsking: boolean;
  isMicOn: boolean;
  isCameraOn: boolean;
  isPaused: boolean;
  cameraFault: DeviceFault | undefined;
  micFault: DeviceFault | undefined;
  /** Of this page's connection in the call. */
  quality: CallQuality;
}>;

export type RecordingView = Readonly<{
  /**
   * `asked`: this page has to answer. `asking`: waits for the others, or prepares the
   * recording. `paused`: waits for those who came in during the recording.
   */
  state: "off" | "asked" | "asking" | "refused" | "recording" | "paused" | "failed";
  /** Who records or asks; undefined: this page. */
  by: RoomPeer | undefined;
}>;

export type DeviceKind = "camera" | "microphone";

export type SharedFile = Readonly<{
  name: string;
  /** MIME type. */
  type: string;
  bytes: number;
  /** A signed link, which expires. */
  url: string;
}>;

export type RoomView = Readonly<{
  connection: ConnectionState;
  overReason: "token" | "room" | "flood" | "removed" | "refused" | undefined;
  phase: CallPhase;
  leaveReason: LeaveReason | undefined;
  /** Why a join was refused: the kind of the problem, its sentence, and the `JoinRefusal`. */
  joinFault: Readonly<{ kind: string; detail: string; reason: string | undefined }> | undefined;
  self: RoomPeer | undefined;
  /** Without supervisors, who take no part. */
  peers: readonly PeerView[];
  /** A supervisor sees and hears the call: the page has to say so. */
  isWatched: boolean;
  local: LocalMedia;
  messages: readonly ChatEntry[];
  pointer: Readonly<{ from: string; point: Point }> | undefined;
  board: Board | undefined;
  recording: RecordingView;
  /** This page uploads the end of its recording, which may continue after the call. */
  isSavingRecording: boolean;
  /** Hosts: who asks to come in. */
  waiting: readonly WaitingPerson[];
  /** The admission status of a waiting guest. */
  admission: AdmissionStatus | undefined;
  isLocked: boolean;
  /** Of this device: the agent asks for it, or has it. */
  position: "asked" | "sent" | undefined;
  /** Photos and files shared in this room since the page was opened. */
  shared: readonly Readonly<{ mediaId: number; from: string }>[];
  /** The last thing that failed, for a message on the page. */
  notice: RoomNotice | undefined;
}>;

export type Room = Readonly<{
  view(): RoomView;
  subscribe(listener: () => void): () => void;

  /**
   * Connects to the signalling. A waiting guest asks to come in, and enters once admitted.
   * `token`: for a room that was created without one.
   */
  connect(token?: string): void;
  /** Takes part in the call, with whatever devices are there. */
  join(): Promise<void>;
  leave(): Promise<void>;
  /** Staff and hosts. */
  end(): Promise<void>;
  /** Ends everything; the object cannot be used afterwards. */
  close(): void;

  /** Asks the browser for the devices; the result is in `view().local`. */
  openDevices(wanted: Readonly<{ camera: boolean; microphone: boolean }>): Promise<void>;
  /**
   * The same after a reload, when a browser may ask again and wait for the person. Waits for three
   * seconds at most; the devices are sent once they open.
   */
  reopenDevices(wanted: Readonly<{ camera: boolean; microphone: boolean }>): Promise<void>;
  setMic(isOn: boolean): Promise<void>;
  setCamera(isOn: boolean): Promise<void>;
  /** The customer's privacy pause: the others get neither picture nor sound. */
  setPaused(isPaused: boolean): Promise<void>;
  switchCamera(): Promise<CommandResult>;
  /** Uses another camera or microphone from now on. */
  chooseDevice(kind: DeviceKind, deviceId: string): Promise<void>;
  shareScreen(isOn: boolean): Promise<void>;
  raiseHand(isRaised: boolean): void;

  sendChat(text: string): void;
  retryChat(clientId: string): void;
  /** Uploads with the room's token and tells the others. Out: the media id. */
  sendFile(file: Blob, name: string): Promise<number | undefined>;
  /** A shared photo or file; undefined if it cannot be read. */
  findFile(mediaId: number): Promise<SharedFile | undefined>;

  /** Sends a command and waits for its result: at most 10 s, for photos 20 s. */
  command(to: string, command: CallCommand): Promise<CommandResult>;
  /** Takes a photo on this page's own camera, at its resolution, and uploads it. */
  takePhoto(): Promise<CommandResult>;

  movePointer(point: Point | null): void;
  changeBoard(change: SingleChange): void;

  askToRecord(): Promise<void>;
  answerRecording(isAccepted: boolean): void;
  stopRecording(): Promise<void>;

  admit(participants: readonly string[] | "all"): void;
  deny(participants: readonly string[]): void;
  removeParticipant(participant: string): void;
  muteParticipant(peerId: string): void;
  setLocked(isLocked: boolean): void;
  clearNotice(): void;
}>;

export type RoomOptions = Readonly<{
  /** Without one, the devices can be used, and `connect` needs one. */
  token?: string;
  /** Fetches a fresh token when the present one ends; undefined: it cannot be renewed. */
  renewToken?: () => Promise<string>;
  /** The camera that is asked for first. */
  facing: "user" | "environment";
}>;
