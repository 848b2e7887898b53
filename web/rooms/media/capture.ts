/** Asks the browser for camera, microphone and screen. */
import type { DeviceFault, DeviceKind } from "../room.ts";

export type Facing = "user" | "environment";

export type Captured = Readonly<{ track: MediaStreamTrack } | { fault: DeviceFault }>;

export type CaptureResult = Readonly<{
  camera: Captured | undefined;
  microphone: Captured | undefined;
}>;

/**
 * Asks for both at once, which is one question to the person. If that fails, it asks for each alone,
 * so that a missing camera does not cost the microphone.
 */
export async function capture(
  wanted: Readonly<{ camera: boolean; microphone: boolean }>,
  facing: Facing,
): Promise<CaptureResult> {
  const video = wanted.camera ? cameraConstraints(facing) : undefined;
  const audio = wanted.microphone ? true : undefined;
  if (video === undefined || audio === undefined) {
    return {
      camera: video === undefined ? undefined : await captureOne({ video }),
      microphone: audio === undefined ? undefined : await captureOne({ audio }),
    };
  }
  try {
    const stream = await getUserMedia({ video, audio });
    return {
      camera: trackOf(stream.getVideoTracks()),
      microphone: trackOf(stream.getAudioTracks()),
    };
  } catch {
    return { camera: await captureOne({ video }), microphone: await captureOne({ audio }) };
  }
}

/** `ideal`: a computer has no rear camera, and must not be refused for that. */
function cameraConstraints(facing: Facing): MediaTrackConstraints {
  return { facingMode: { ideal: facing }, ...cameraSize };
}

const cameraSize = { width: { ideal: 1280 }, height: { ideal: 720 } } as const;

async function captureOne(constraints: MediaStreamConstraints): Promise<Captured> {
  try {
    return trackOf((await getUserMedia(constraints)).getTracks());
  } catch (thrown) {
    return { fault: faultOf(thrown) };
  }
}

/** The device that the person chose. */
export function captureDevice(kind: DeviceKind, deviceId: string): Promise<Captured> {
  const device = { deviceId: { exact: deviceId } };
  return captureOne(
    kind === "camera" ? { video: { ...device, ...cameraSize } } : { audio: device },
  );
}

function trackOf([track]: readonly MediaStreamTrack[]): Captured {
  return track === undefined ? { fault: "missing" } : { track };
}

function getUserMedia(constraints: MediaStreamConstraints): Promise<MediaStream> {
  if (!window.isSecureContext) {
    throw new DOMException("Devices need HTTPS.", "SecurityError");
  }
  // Old browsers, and pages inside of other apps, have no `mediaDevices`.
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (devices === undefined) {
    throw new DOMException("No media devices.", "NotSupportedError");
  }
  return devices.getUserMedia(constraints);
}

const faultsByName: Readonly<Record<string, DeviceFault>> = {
  NotAllowedError: "denied",
  PermissionDeniedError: "denied",
  NotFoundError: "missing",
  DevicesNotFoundError: "missing",
  OverconstrainedError: "missing",
  NotReadableError: "busy",
  TrackStartError: "busy",
  AbortError: "busy",
  NotSupportedError: "unsupported",
  TypeError: "unsupported",
  SecurityError: "insecure",
};

/** Why a device cannot be used. */
function faultOf(thrown: unknown): DeviceFault {
  return (thrown instanceof Error ? faultsByName[thrown.name] : undefined) ?? "failed";
}

/**
 * Another camera than the present one, which has to be stopped before: phones give only one at a
 * time. First the other direction, then the next device.
 */
export async function captureOther(
  present: Readonly<{ facing: Facing | null; deviceId: string | undefined }>,
): Promise<Captured> {
  const other = present.facing === "environment" ? "user" : "environment";
  const turned = await captureOne({ video: { facingMode: { exact: other }, ...cameraSize } });
  if ("track" in turned && turned.track.getSettings().deviceId !== present.deviceId) {
    return turned;
  }
  if ("track" in turned) {
    turned.track.stop();
  }
  const next = await nextCamera(present.deviceId);
  return next === undefined
    ? { fault: "missing" }
    : captureOne({ video: { deviceId: { exact: next }, ...cameraSize } });
}

async function nextCamera(deviceId: string | undefined): Promise<string | undefined> {
  const ids = await listCameras();
  return ids[(ids.indexOf(deviceId ?? "") + 1) % ids.length];
}

/** The ids of the cameras; empty before the person allowed one. */
export async function listCameras(): Promise<readonly string[]> {
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  const found = (await devices?.enumerateDevices().catch(() => [])) ?? [];
  return found
    .filter(({ kind, deviceId }) => kind === "videoinput" && deviceId !== "")
    .map(({ deviceId }) => deviceId);
}

export async function captureScreen(): Promise<Captured> {
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (devices === undefined || !("getDisplayMedia" in devices)) {
    return { fault: "unsupported" };
  }
  try {
    const stream = await devices.getDisplayMedia({ video: { frameRate: { ideal: 15 } } });
    const found = trackOf(stream.getVideoTracks());
    if ("track" in found) {
      found.track.contentHint = "detail";
    }
    return found;
  } catch (thrown) {
    return { fault: faultOf(thrown) };
  }
}
