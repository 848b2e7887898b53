import type { FoundPosition } from "./position.ts";

const options: PositionOptions = { enableHighAccuracy: true, timeout: 30_000, maximumAge: 10_000 };

/** Where this device is, or why that is not known. */
export function findPosition(): Promise<FoundPosition> {
  return new Promise((resolve) => {
    if (!("geolocation" in navigator)) {
      resolve("unsupported");
      return;
    }
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude: lat, longitude: lng, accuracy } }) => resolve({ lat, lng, accuracy }),
      ({ code, PERMISSION_DENIED }) => resolve(code === PERMISSION_DENIED ? "denied" : "failed"),
      options,
    );
  });
}
