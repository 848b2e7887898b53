/** LiveKit's client: a large, separate chunk that only pages in a larger call load. */
import type * as sdk from "livekit-client";

export type LivekitSdk = typeof sdk;

export function loadLivekit(): Promise<LivekitSdk> {
  return import("livekit-client");
}
