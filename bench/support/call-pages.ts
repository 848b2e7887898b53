/** The two pages of a call in a real Chromium, over a network that can fail. */
import type { Browser, Page } from "playwright-core";
import { sleep } from "../../src/platform/concurrency/async.ts";
import type { LossyNetwork, Side } from "./lossy-network.ts";
import { loadRoom, watchConnections } from "./rooms-core.ts";
import type { Visit } from "./visits.ts";

export const mediaFlags = [
  "--use-fake-ui-for-media-stream",
  "--use-fake-device-for-media-stream",
  "--autoplay-policy=no-user-gesture-required",
  // Candidates with IP addresses instead of mDNS names, so that the relay can replace them.
  "--disable-features=WebRtcHideLocalIpsWithMdns",
];

export type CallPages = Readonly<Record<Side, Page>>;

type Place = Readonly<{ browser: Browser; network: LossyNetwork; url: string }>;

/** The agent is already in the call when the customer opens the link. */
export async function openCall(place: Place, visit: Visit): Promise<CallPages> {
  const agent = await openPage(place, { side: "agent", token: visit.agent });
  await poll(() => agent.evaluate<boolean>(`window.room.view().phase === "in-call"`), "a session");
  const customer = await openPage(place, { side: "customer", token: visit.customer });
  for (const page of [agent, customer]) {
    await poll(() => page.evaluate<boolean>("window.frameTimes.length > 0"), "a picture");
  }
  return { agent, customer };
}

export async function closeCall({ agent, customer }: CallPages): Promise<void> {
  await Promise.all([agent.context().close(), customer.context().close()]);
}

async function openPage(
  { browser, network, url }: Place,
  { side, token }: Readonly<{ side: Side; token: string }>,
): Promise<Page> {
  const context = await browser.newContext({ permissions: ["camera", "microphone"] });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.exposeFunction("relayFor", (address: string, port: number) =>
    network.relayFor(side, { address, port }),
  );
  for (const script of [relayCandidates, watchConnections, watchFrames]) {
    await page.addInitScript(script);
  }
  // An empty page at the platform's origin, so that no page of the platform has to be built.
  const address = `${url}/call-under-test`;
  await page.route(address, (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Call</title>" }),
  );
  await loadRoom(page, {
    url: address,
    token,
    facing: side === "customer" ? "environment" : "user",
  });
  await page.evaluate(`(async () => {
    window.roomToken = ${JSON.stringify(token)};
    room.connect();
    await room.openDevices({ camera: true, microphone: true });
    await room.join();
  })()`);
  return page;
}

/** Polls until the condition is true. On a time-out, the error contains `what`. */
export async function poll(
  isTrue: () => Promise<boolean>,
  what: string,
  timeoutMs = 60_000,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await isTrue())) {
    if (performance.now() > deadline) {
      throw new Error(`There was not ${what} after ${timeoutMs} ms`);
    }
    await sleep(50);
  }
}

/** Records when each frame of the other side arrived, in ms since the epoch. */
const watchFrames = `(() => {
  window.nowMs = () => performance.timeOrigin + performance.now();
  window.frameTimes = [];
  let current;
  const read = async (track) => {
    const reader = new MediaStreamTrackProcessor({ track }).readable.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      window.frameTimes.push(window.nowMs());
      next.value.close();
    }
  };
  setInterval(() => {
    const peer = window.room?.view().peers.find(({ stream }) => stream !== undefined);
    const track = peer?.stream.getVideoTracks()[0];
    if (track !== undefined && track !== current) {
      current = track;
      void read(track);
    }
  }, 10);
})()`;

/**
 * Replaces the other side's candidates with the address of the relay, and removes TCP candidates.
 */
const relayCandidates = `(() => {
  const relayed = async (line) => {
    const parts = line.split(" ");
    const [, , protocol, , address, port] = parts;
    if (protocol?.toLowerCase() !== "udp" || address.includes(":")) {
      return undefined;
    }
    const relay = await window.relayFor(address, Number(port));
    parts[4] = relay.address;
    parts[5] = String(relay.port);
    return parts.join(" ");
  };
  const { addIceCandidate, setRemoteDescription } = RTCPeerConnection.prototype;
  RTCPeerConnection.prototype.addIceCandidate = async function (given) {
    if (!given?.candidate) {
      return addIceCandidate.call(this, given);
    }
    const { sdpMid, sdpMLineIndex, usernameFragment } = given;
    const candidate = await relayed(given.candidate);
    if (candidate !== undefined) {
      const ufrag = usernameFragment === null ? {} : { usernameFragment };
      await addIceCandidate.call(this, { candidate, sdpMid, sdpMLineIndex, ...ufrag });
    }
  };
  RTCPeerConnection.prototype.setRemoteDescription = async function ({ type, sdp }) {
    const lines = [];
    for (const line of sdp.split("\\r\\n")) {
      const kept = line.startsWith("a=candidate:") ? await relayed(line) : line;
      if (kept !== undefined) {
        lines.push(kept);
      }
    }
    return setRemoteDescription.call(this, { type, sdp: lines.join("\\r\\n") });
  };
})()`;

export type MediaCounts = {
  atMs: number;
  videoBytes: number;
  audioBytes: number;
  frames: number;
  height: number;
  packetsLost: number;
};

/** Media statistics of a page: what it has received, or sent if `direction` is "outbound". */
export function countMedia(page: Page, direction: "inbound" | "outbound"): Promise<MediaCounts> {
  return page.evaluate<MediaCounts>(`(async () => {
    const counts = { atMs: window.nowMs(), videoBytes: 0, audioBytes: 0, frames: 0, height: 0,
      packetsLost: 0 };
    for (const one of window.connections.filter((pc) => pc.connectionState !== "closed")) {
      (await one.getStats()).forEach((entry) => {
        if (entry.type === "${direction}-rtp") {
          const bytes = entry.bytesReceived ?? entry.bytesSent ?? 0;
          counts[entry.kind + "Bytes"] += bytes;
          counts.frames += entry.framesDecoded ?? entry.framesEncoded ?? 0;
          counts.height = Math.max(counts.height, entry.frameHeight ?? 0);
          counts.packetsLost += entry.packetsLost ?? 0;
        }
      });
    }
    return counts;
  })()`);
}

export function frameTimes(page: Page): Promise<number[]> {
  return page.evaluate<number[]>("window.frameTimes");
}
