/** The position of this device, for a position request. */
import type { CommandResult } from "../../src/contracts/room-messages.ts";
import type { Position, RoomApi } from "./api.ts";

const options: PositionOptions = { enableHighAccuracy: true, timeout: 30_000, maximumAge: 10_000 };

/** The browser asks the person, once. A refusal is an answer, too. */
export async function answerPositionRequest(
  api: Pick<RoomApi, "answerPosition">,
  requestId: string,
): Promise<CommandResult> {
  const found = await findPosition();
  const isFound = typeof found === "object";
  await api.answerPosition(requestId, isFound ? found : null);
  return isFound ? { ok: true } : { ok: false, reason: found };
}

/** Where this device is, or why that is not known. */
export function findPosition(): Promise<Position | "denied" | "failed" | "unsupported"> {
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
