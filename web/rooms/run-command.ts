/** Runs the commands of the agent or a host on this page. */
import type { CallCommand, CommandResult } from "../../src/contracts/room-messages.ts";
import type { Devices } from "./media/devices.ts";
import { setTorch, setZoom } from "./media/camera-controls.ts";

export type CommandTools = Readonly<{
  devices: Devices;
  takePhoto(): Promise<CommandResult>;
  locate(requestId: string): Promise<CommandResult>;
  /** The camera's torch or zoom changed. */
  onCameraChange(): void;
}>;

export async function runCommand(
  { devices, takePhoto, locate, onCameraChange }: CommandTools,
  command: CallCommand,
): Promise<CommandResult> {
  switch (command.name) {
    case "snapshot":
      return takePhoto();
    case "switch-camera":
      return devices.switchCamera();
    case "locate":
      return locate(command.requestId);
    case "mute":
      await devices.setMic(false);
      return { ok: true };
    case "torch":
    case "zoom": {
      const result = await controlCamera(devices.camera(), command);
      onCameraChange();
      return result;
    }
  }
}

async function controlCamera(
  camera: MediaStreamTrack | undefined,
  command: Extract<CallCommand, { name: "torch" | "zoom" }>,
): Promise<CommandResult> {
  if (camera === undefined) {
    return { ok: false, reason: "unsupported" };
  }
  return command.name === "torch" ? setTorch(camera, command.isOn) : setZoom(camera, command.value);
}
