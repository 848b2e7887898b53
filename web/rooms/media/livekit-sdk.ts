/** LiveKit's client: a large file of its own, which only pages in a larger call load. */
import type * as sdk from "livekit-client";

export type LivekitSdk = typeof sdk;

export function loadLivekit(): Promise<LivekitSdk> {
  return import("livekit-client");
}
