import type { CheckedIce } from "./media-verdict.ts";

/** The settings of the platform, as a connection of the browser takes them. */
export function configurationOf({ servers, policy }: CheckedIce) {
  return {
    iceServers: servers.map(({ urls, ...credentials }) => ({ urls: [...urls], ...credentials })),
    iceTransportPolicy: policy,
    bundlePolicy: "max-bundle",
  } satisfies RTCConfiguration;
}
