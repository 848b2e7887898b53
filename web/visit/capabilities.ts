/** What this browser can do. */

/** Whether it has what a call needs. */
export function canCall(): boolean {
  return hasCamera() && "RTCPeerConnection" in window && "WebSocket" in window;
}

/** Old browsers, and pages without https, have no `mediaDevices`. */
function hasCamera(): boolean {
  const { mediaDevices } = navigator as { mediaDevices?: MediaDevices };
  return typeof mediaDevices?.getUserMedia === "function";
}

/** Whether both devices were allowed before, so that the browser does not ask. */
export async function areDevicesAllowed(): Promise<boolean> {
  try {
    const names = ["camera", "microphone"] as PermissionName[];
    const found = await Promise.all(names.map((name) => navigator.permissions.query({ name })));
    return found.every(({ state }) => state === "granted");
  } catch {
    return false; // Firefox knows no permission of these names
  }
}
