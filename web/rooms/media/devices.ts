/** The camera, the microphone and the screen of this page: what is open, and what is sent of it. */
import type { CameraState, CommandResult } from "../../../src/contracts/room-messages.ts";
import type { DeviceFault, DeviceKind } from "../room.ts";
import type { Store } from "../store.ts";
import { cameraStateOf, facingOf } from "./camera-controls.ts";
import {
  capture,
  captureDevice,
  captureOther,
  captureScreen,
  listCameras,
  type Captured,
  type Facing,
} from "./capture.ts";
import type { LocalTracks } from "./media-transport.ts";
import { isLive, sameTracks, stopUnused } from "./tracks.ts";

export type DevicesOptions = Readonly<{
  store: Store;
  facing: Facing;
  /** The sent media, or their state, changed. */
  onChange(): void;
}>;

type Wanted = Readonly<{ camera: boolean; microphone: boolean }>;

/** Most devices that were allowed before are open by then: the browser may be asking. */
export const askingAfterMs = 3_000;

export class Devices {
  readonly #options: DevicesOptions;
  #facing: Facing;
  #camera: MediaStreamTrack | undefined;
  #microphone: MediaStreamTrack | undefined;
  #screen: MediaStreamTrack | undefined;
  #screenRequests = 0;
  /** Opened, and not switched off by the person. */
  #wanted: Wanted = { camera: false, microphone: false };
  #cameras = 0;
  #isVideoSuspended = false;
  #isBusy = false;
  /** Since they were last released, the devices were asked for. */
  #isOpen = false;

  constructor(options: DevicesOptions) {
    this.#options = options;
    this.#facing = options.facing;
    document.addEventListener("visibilitychange", this.#restore);
    devicesOf()?.addEventListener("devicechange", this.#restore);
  }

  async open(wanted: Wanted): Promise<void> {
    this.#isOpen = true;
    this.#wanted = {
      camera: wanted.camera || this.#wanted.camera,
      microphone: wanted.microphone || this.#wanted.microphone,
    };
    const missing = {
      camera: wanted.camera && !isLive(this.#camera),
      microphone: wanted.microphone && !isLive(this.#microphone),
    };
    if (missing.camera || missing.microphone) {
      const { store } = this.#options;
      const askTimer = setTimeout(() => store.updateLocal({ isAsking: true }), askingAfterMs);
      const { camera, microphone } = await capture(missing, this.#facing);
      clearTimeout(askTimer);
      store.updateLocal({ isAsking: false });
      await this.#adoptCamera(camera);
      this.#adoptMicrophone(microphone);
    }
    this.#publish();
  }

  async setMic(isOn: boolean): Promise<void> {
    if (isOn && !isLive(this.#microphone)) {
      await this.open({ camera: false, microphone: true });
      return;
    }
    this.#wanted = { ...this.#wanted, microphone: isOn };
    this.#publish();
  }

  /** Off stops the device, so that its light goes out. */
  async setCamera(isOn: boolean): Promise<void> {
    if (isOn) {
      await this.open({ camera: true, microphone: false });
      return;
    }
    this.#wanted = { ...this.#wanted, camera: false };
    this.#camera?.stop();
    this.#camera = undefined;
    this.#publish();
  }

  /** For privacy: the devices stay open, and nothing of them is sent. */
  setPaused(isPaused: boolean): void {
    this.#options.store.updateLocal({ isPaused });
    this.#publish();
  }

  /** A poor connection carries the sound only. */
  setVideoSuspended(isSuspended: boolean): void {
    this.#isVideoSuspended = isSuspended;
    this.#publish();
  }

  async switchCamera(): Promise<CommandResult> {
    const present = this.#camera;
    if (this.#isBusy || present === undefined) {
      return { ok: false, reason: this.#isBusy ? "busy" : "unsupported" };
    }
    if (this.#cameras < 2) {
      return { ok: false, reason: "unsupported" };
    }
    this.#isBusy = true;
    try {
      const before = { facing: facingOf(present), deviceId: present.getSettings().deviceId };
      present.stop();
      const next = await captureOther(before);
      const isSwitched = "track" in next;
      await this.#adoptCamera(
        isSwitched
          ? next
          : (await capture({ camera: true, microphone: false }, this.#facing)).camera,
      );
      this.#publish();
      return isSwitched ? { ok: true } : { ok: false, reason: "failed" };
    } finally {
      this.#isBusy = false;
    }
  }

  async choose(kind: DeviceKind, deviceId: string): Promise<void> {
    this.#isOpen = true;
    (kind === "camera" ? this.#camera : this.#microphone)?.stop(); // phones give only one at a time
    const found = await captureDevice(kind, deviceId);
    if (kind === "camera") {
      this.#wanted = { ...this.#wanted, camera: true };
      await this.#adoptCamera(found);
    } else {
      this.#adoptMicrophone(found);
    }
    this.#publish();
  }

  async shareScreen(isOn: boolean): Promise<void> {
    const request = (this.#screenRequests += 1);
    this.#screen?.stop();
    this.#screen = undefined;
    const screen = isOn ? await captureScreen() : undefined;
    const isWanted = request === this.#screenRequests; // the call may have ended meanwhile
    if (screen !== undefined && stopUnused(screen, undefined, isWanted)) {
      if ("track" in screen) {
        this.#screen = screen.track;
        screen.track.addEventListener("ended", () => void this.shareScreen(false));
      } else if (screen.fault !== "denied") {
        this.#options.store.update({ notice: "screen-failed" });
      }
    }
    this.#publish();
  }

  camera(): MediaStreamTrack | undefined {
    return this.#camera;
  }

  microphone(): MediaStreamTrack | undefined {
    return this.#microphone;
  }

  /** What the others may do with the camera. */
  cameraState(): CameraState | null {
    return this.#camera === undefined ? null : cameraStateOf(this.#camera, this.#cameras);
  }

  /** What is sent. */
  tracks(): LocalTracks {
    const isSent = !this.#options.store.view().local.isPaused;
    return {
      audio: isSent && this.#wanted.microphone ? (this.#microphone ?? null) : null,
      camera: isSent && !this.#isVideoSuspended ? (this.#camera ?? null) : null,
      screen: isSent ? (this.#screen ?? null) : null,
    };
  }

  /** Stops all devices; they can be opened again. */
  release(): void {
    this.#isOpen = false;
    this.#wanted = { camera: false, microphone: false };
    [this.#camera, this.#microphone].forEach((track) => track?.stop());
    this.#camera = undefined;
    this.#microphone = undefined;
    this.#isVideoSuspended = false;
    this.#options.store.updateLocal({ isPaused: false });
    void this.shareScreen(false); // shows the rest, too
  }

  close(): void {
    document.removeEventListener("visibilitychange", this.#restore);
    devicesOf()?.removeEventListener("devicechange", this.#restore);
    this.release();
  }

  async #adoptCamera(found: Captured | undefined): Promise<void> {
    const isWanted = this.#isOpen && this.#wanted.camera;
    if (found === undefined || !stopUnused(found, this.#camera, isWanted)) {
      return;
    }
    const { store } = this.#options;
    this.#camera = "track" in found ? found.track : undefined;
    store.updateLocal({ cameraFault: "fault" in found ? found.fault : undefined });
    if ("track" in found) {
      this.#facing = facingOf(found.track) ?? this.#facing;
      this.#cameras = (await listCameras()).length;
      found.track.addEventListener("ended", () => this.#onEnded("camera", found.track));
    }
  }

  #adoptMicrophone(found: Captured | undefined): void {
    if (found === undefined || !stopUnused(found, this.#microphone, this.#isOpen)) {
      return;
    }
    this.#microphone = "track" in found ? found.track : undefined;
    this.#options.store.updateLocal({ micFault: "fault" in found ? found.fault : undefined });
    if ("track" in found) {
      found.track.addEventListener("ended", () => this.#onEnded("microphone", found.track));
    }
  }

  /** Taken away by the system: a phone call, or a cable that was pulled. */
  #onEnded(kind: "camera" | "microphone", track: MediaStreamTrack): void {
    if (kind === "camera" && this.#camera === track) {
      this.#camera = undefined;
      this.#options.store.updateLocal({ cameraFault: "busy" });
    } else if (kind === "microphone" && this.#microphone === track) {
      this.#microphone = undefined;
      this.#options.store.updateLocal({ micFault: this.#wanted.microphone ? "busy" : undefined });
    } else {
      return;
    }
    this.#publish();
    void this.open(this.#wanted);
  }

  /** The page is visible again, or a device was plugged in. */
  readonly #restore = (): void => {
    const isUsed = this.#isMissing() || this.#camera !== undefined;
    if (document.visibilityState === "visible" && isUsed) {
      void this.#refresh();
    }
  };

  async #refresh(): Promise<void> {
    this.#cameras = (await listCameras()).length;
    if (this.#isMissing() && !this.#isBusy) {
      await this.open(this.#wanted);
    } else {
      this.#publish();
    }
  }

  #isMissing(): boolean {
    const { camera, microphone } = this.#wanted;
    const { cameraFault, micFault } = this.#options.store.view().local;
    return (
      (camera && !isLive(this.#camera) && mayReturn(cameraFault)) ||
      (microphone && !isLive(this.#microphone) && mayReturn(micFault))
    );
  }

  #publish(): void {
    const { store, onChange } = this.#options;
    const { isPaused, stream } = store.view().local;
    const tracks = [this.#camera, this.#microphone].filter((track) => track !== undefined);
    const isMicOn = this.#wanted.microphone && this.#microphone !== undefined;
    if (this.#microphone !== undefined) {
      this.#microphone.enabled = isMicOn && !isPaused;
    }
    if (this.#camera !== undefined) {
      this.#camera.enabled = !isPaused;
    }
    store.updateLocal({
      stream: sameTracks(stream, tracks) ? stream : new MediaStream(tracks),
      screen: this.#screen === undefined ? undefined : new MediaStream([this.#screen]),
      isMicOn,
      isCameraOn: this.#camera !== undefined,
    });
    onChange();
  }
}

/** A refusal stays; the person is not asked again by itself. */
function mayReturn(fault: DeviceFault | undefined): boolean {
  return fault === undefined || fault === "busy" || fault === "missing";
}

/** Old browsers, and pages without HTTPS, have none. */
function devicesOf(): MediaDevices | undefined {
  return navigator.mediaDevices;
}
