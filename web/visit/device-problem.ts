/** Why camera or microphone cannot be used. Pure. */
import type { DeviceFault, LocalMedia } from "../rooms/room.ts";
import type { TextKey } from "./text-key.ts";

export type DeviceProblem = Readonly<{
  title: TextKey;
  cause: "refused" | "missing" | "busy";
}>;

const causes: Readonly<Record<DeviceFault, DeviceProblem["cause"]>> = {
  denied: "refused",
  insecure: "refused",
  unsupported: "missing",
  missing: "missing",
  busy: "busy",
  failed: "busy",
};

/** Undefined: both devices are there. */
export function deviceProblemOf({
  cameraFault,
  micFault,
}: Pick<LocalMedia, "cameraFault" | "micFault">): DeviceProblem | undefined {
  const camera = cameraFault && causes[cameraFault];
  const microphone = micFault && causes[micFault];
  if (camera !== undefined && camera === microphone) {
    return { title: `devices_${camera}`, cause: camera };
  }
  if (camera !== undefined) {
    return { title: `camera_${camera}`, cause: camera };
  }
  return microphone && { title: `microphone_${microphone}`, cause: microphone };
}
