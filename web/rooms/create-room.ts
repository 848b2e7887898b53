/** Puts the parts of a room together. */
import {
  initialPeerState,
  type PeerState,
  type RoomHello,
} from "../../src/contracts/room-messages.ts";
import { createRoomApi, type RoomApi } from "./api.ts";
import { createBoardControl, type BoardControl } from "./board.ts";
import { Call } from "./call.ts";
import { createChat, type Chat } from "./chat.ts";
import { createCommands, type Commands } from "./commands.ts";
import { createFiles, type Files } from "./files.ts";
import { askingAfterMs, Devices } from "./media/devices.ts";
import { createModeration, type Moderation } from "./moderation.ts";
import { createPeers, type Peers } from "./peers.ts";
import { findPosition } from "./find-position.ts";
import { answerPositionRequest } from "./position.ts";
import { createReloadWatch, type ReloadWatch } from "./recording/reload-watch.ts";
import { Recording } from "./recording/recording.ts";
import { wait } from "../shared/wait.ts";
import type { Room, RoomOptions } from "./room.ts";
import { runCommand } from "./run-command.ts";
import { SignallingClient } from "./signalling/signalling-client.ts";
import { createStateReporter, type StateReporter } from "./state-reporter.ts";
import { createStore, type Store } from "./store.ts";

export function createRoom(options: RoomOptions): Room {
  const parts = createParts(options);
  follow(parts);
  return { ...callActions(parts), ...mediaActions(parts), ...sharedActions(parts) };
}

type Parts = Readonly<{
  store: Store;
  signalling: SignallingClient;
  api: RoomApi;
  devices: Devices;
  peers: Peers;
  call: Call;
  chat: Chat;
  commands: Commands;
  board: BoardControl;
  files: Files;
  moderation: Moderation;
  recording: Recording;
  reload: ReloadWatch;
  reporter: StateReporter;
  hand: { isRaised: boolean };
}>;

function createParts(options: RoomOptions): Parts {
  const store = createStore();
  const hand = { isRaised: false };
  const signalling = new SignallingClient({
    token: options.token ?? "",
    renewToken: options.renewToken,
    after: () => parts.chat.after(),
    onHello: (hello, isResumed) => onHello(parts, hello, isResumed),
    onLost: () => {
      parts.chat.onLost();
      store.update({ connection: "reconnecting" });
    },
    onAdmission: (admission) =>
      store.update({ connection: "connected", phase: "waiting", admission }),
    onOver: (overReason) => {
      const isDenied = overReason === "removed" && store.view().phase === "waiting";
      parts.call.abandon();
      store.update({
        connection: "over",
        overReason,
        ...(isDenied ? { admission: "denied" } : {}),
      });
    },
  });
  const onChange = (): void => {
    parts.call.refresh();
    parts.reporter.report();
  };
  const onReport = (): void => parts.reporter.report();
  const reload = createReloadWatch({ store, signalling, onChange: onReport });
  const devices = new Devices({ store, facing: options.facing, onChange });
  const peers = createPeers({
    store,
    media: (id) => parts.call.transport()?.media(id),
    onChange: () => parts.call.refresh(),
    onShown: () => parts.recording.refresh(),
  });
  const call = new Call({
    ...{ store, signalling, devices, peers, onChange },
    onJoined: () => parts.board.onJoined(),
    onLeft: () => parts.recording.onLeft(),
  });
  const api = createRoomApi(() => signalling.token());
  const files = createFiles({ store, signalling, api, devices });
  const commands = createCommands({
    store,
    signalling,
    run: (command) =>
      runCommand(
        {
          devices,
          takePhoto: files.takePhoto,
          locate: (requestId) =>
            answerPositionRequest({ api, store, find: findPosition }, requestId),
          onCameraChange: onChange,
        },
        command,
      ),
  });
  const parts: Parts = {
    ...{ store, signalling, api, devices, peers, call, commands, files, hand, reload },
    chat: createChat(store, signalling),
    board: createBoardControl(store, signalling),
    moderation: createModeration(store, signalling),
    recording: new Recording({ store, signalling, api, peers, onChange: reload.onChange }),
    reporter: createStateReporter({ store, signalling, read: () => stateOf(parts) }),
  };
  return parts;
}

function onHello(parts: Parts, hello: RoomHello, isResumed: boolean): void {
  const { store, peers, chat, call, moderation, recording, reload, reporter } = parts;
  const { self, isLocked } = hello;
  const { phase } = store.view();
  store.update({ connection: "connected", self, isLocked });
  reload.onHello();
  if (!isResumed) {
    call.onNewIdentity();
  }
  peers.replaceAll(hello.peers);
  chat.onHello(hello);
  moderation.onHello();
  recording.onHello();
  reporter.reportAll();
  if (phase === "waiting") {
    void call.join(); // admitted
  } else {
    call.onHello(hello.peers);
  }
}

/** Handles the server's messages about other pages. */
function follow({ signalling, peers, board, call }: Parts): void {
  const put: Parameters<typeof signalling.on<"peer-joined">>[1] = (peer) => {
    const isNewcomer = peer.isInCall && peers.find(peer.id)?.isInCall !== true;
    peers.put(peer);
    if (isNewcomer && call.transport() !== undefined) {
      board.onNewcomer();
    }
  };
  signalling.on("peer-joined", put);
  signalling.on("peer-changed", put);
  signalling.on("peer-left", ({ id }) => peers.remove(id));
}

function stateOf({ store, devices, call, hand }: Parts): PeerState {
  const { local, recording } = store.view();
  const tracks = devices.tracks();
  return {
    ...initialPeerState,
    isMicOn: local.isMicOn,
    isCameraOn: tracks.camera !== null,
    isSharing: tracks.screen !== null,
    isPaused: local.isPaused,
    isHandRaised: hand.isRaised,
    isRecording: recording.state === "recording" && recording.by === undefined,
    quality: call.quality(),
    camera: devices.cameraState(),
  };
}

type CallActions = Pick<
  Room,
  "view" | "subscribe" | "connect" | "join" | "leave" | "end" | "close" | "clearNotice"
>;

function callActions({ store, signalling, call, devices, recording, reload }: Parts): CallActions {
  return {
    view: store.view,
    subscribe: store.subscribe,
    connect: (token) => signalling.connect(token),
    join: () => call.join(),
    leave: () => call.leave(),
    end: () => call.end(),
    close: () => {
      reload.close();
      recording.close();
      call.close();
      devices.close();
      signalling.close();
      store.close();
    },
    clearNotice: () => store.update({ notice: undefined }),
  };
}

type MediaActions = Pick<
  Room,
  | ("openDevices" | "reopenDevices" | "setMic" | "setCamera" | "setPaused" | "switchCamera")
  | ("shareScreen" | "chooseDevice" | "raiseHand" | "takePhoto" | "command" | "muteParticipant")
>;

function mediaActions({ devices, files, commands, reporter, hand }: Parts): MediaActions {
  return {
    openDevices: (wanted) => devices.open(wanted),
    reopenDevices: (wanted) => Promise.race([devices.open(wanted), wait(askingAfterMs)]),
    setMic: (isOn) => devices.setMic(isOn),
    setCamera: (isOn) => devices.setCamera(isOn),
    setPaused: async (isPaused) => devices.setPaused(isPaused),
    switchCamera: () => devices.switchCamera(),
    chooseDevice: (kind, deviceId) => devices.choose(kind, deviceId),
    shareScreen: (isOn) => devices.shareScreen(isOn),
    raiseHand: (isRaised) => {
      hand.isRaised = isRaised;
      reporter.report();
    },
    takePhoto: files.takePhoto,
    command: commands.send,
    muteParticipant: (peerId) => void commands.send(peerId, { name: "mute" }),
  };
}

type SharedActions = Omit<Room, keyof CallActions | keyof MediaActions>;

function sharedActions({ chat, files, board, moderation, recording }: Parts): SharedActions {
  const { admit, deny, removeParticipant, setLocked } = moderation;
  return {
    sendChat: chat.send,
    retryChat: chat.retry,
    sendFile: files.sendFile,
    findFile: files.findFile,
    movePointer: board.movePointer,
    changeBoard: board.change,
    askToRecord: () => recording.ask(),
    answerRecording: (isAccepted) => recording.answer(isAccepted),
    stopRecording: () => recording.stop(),
    ...{ admit, deny, removeParticipant, setLocked },
  };
}
