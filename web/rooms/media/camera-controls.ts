/** Torch and zoom of a camera, where the browser has them. */
import type {
  CameraState,
  CommandResult,
  ZoomRange,
} from "../../../src/contracts/room-messages.ts";
import type { Facing } from "./capture.ts";

/** Image capture extensions of the W3C, which the types of browsers lack. */
type CameraCapabilities = MediaTrackCapabilities &
  Readonly<{ torch?: boolean; zoom?: Readonly<{ min: number; max: number; step?: number }> }>;

type CameraSettings = MediaTrackSettings & Readonly<{ torch?: boolean; zoom?: number }>;

export function cameraStateOf(track: MediaStreamTrack, cameras: number): CameraState {
  const { torch, zoom } = capabilitiesOf(track);
  const settings: CameraSettings = track.getSettings();
  return {
    facing: facingOf(track),
    canSwitch: cameras > 1,
    isTorchOn: torch === true ? settings.torch === true : null,
    zoom: zoom === undefined || zoom.max <= zoom.min ? null : rangeOf(zoom, settings.zoom),
  };
}

function rangeOf(
  { min, max, step = 0.1 }: Readonly<{ min: number; max: number; step?: number }>,
  value = min,
): ZoomRange {
  return { min, max, step, value };
}

/** Null: a computer's camera. */
export function facingOf(track: MediaStreamTrack): Facing | null {
  const { facingMode } = track.getSettings();
  return facingMode === "user" || facingMode === "environment" ? facingMode : null;
}

export async function setTorch(track: MediaStreamTrack, isOn: boolean): Promise<CommandResult> {
  return capabilitiesOf(track).torch === true
    ? applyExtension(track, { torch: isOn })
    : { ok: false, reason: "unsupported" };
}

export async function setZoom(track: MediaStreamTrack, value: number): Promise<CommandResult> {
  const { zoom } = capabilitiesOf(track);
  return zoom === undefined
    ? { ok: false, reason: "unsupported" }
    : applyExtension(track, { zoom: Math.min(zoom.max, Math.max(zoom.min, value)) });
}

function capabilitiesOf(track: MediaStreamTrack): CameraCapabilities {
  return "getCapabilities" in track ? track.getCapabilities() : {};
}

async function applyExtension(
  track: MediaStreamTrack,
  change: Readonly<{ torch?: boolean; zoom?: number }>,
): Promise<CommandResult> {
  try {
    await track.applyConstraints({ advanced: [change as MediaTrackConstraintSet] });
    return { ok: true };
  } catch {
    return { ok: false, reason: "failed" };
  }
}
