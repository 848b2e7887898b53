/** Assesses the network by the candidates that the browser found. Pure. */
import type { IceSettings } from "../../../src/contracts/room-messages.ts";

export type CheckedIce = Omit<IceSettings, "expiresInSeconds">;

/**
 * `relayed`: the TURN server answers. `direct`: there is none, and a direct path seems possible.
 * `limited`: a direct path only; the TURN server does not answer. `blocked`: no path.
 */
export type MediaCheck = "relayed" | "direct" | "limited" | "blocked";

/** As the browser names them. */
export type CandidateKind = "host" | "srflx" | "prflx" | "relay";

export function assessMedia(
  { servers, policy }: CheckedIce,
  found: ReadonlySet<CandidateKind>,
): MediaCheck {
  const urls = servers.flatMap((server) => server.urls);
  if (found.has("relay")) {
    return "relayed";
  }
  if (policy === "relay" || found.size === 0) {
    return "blocked";
  }
  const hasRelay = urls.some((url) => url.startsWith("turn"));
  const isStunSilent = urls.length > 0 && !found.has("srflx");
  return hasRelay || isStunSilent ? "limited" : "direct";
}
