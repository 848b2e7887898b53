/**
 * A meeting of several browsers with small pictures, and what each of them receives from the
 * others.
 */
import type { Page } from "playwright-core";
import { admin, type BrowserPlatform } from "./browser-platform.ts";
import type { TestBrowser } from "./browser.ts";
import { meetingToken } from "./call-customer.ts";
import { eventually } from "./eventually.ts";
import { openCore } from "./rooms-core.ts";

export type Meeting = Readonly<{
  /** A participant of the call, with camera and microphone. `initScript` runs before the page. */
  enter(name: string, initScript?: string): Promise<Page>;
}>;

/**
 * By name: the number of displayed frames, the longest gap between two, and the age of the last
 * one.
 */
export type Seen = Readonly<
  Record<string, Readonly<{ frames: number; gapMs: number; ageMs: number }>>
>;

/** Without a frame or packet for this long, nothing is being sent. */
const stillMs = 1_000;

/**
 * Small frames (160x120, 10 per second), because two cores encode and decode all of them. Frames
 * are counted where they are displayed, in a video element that keeps its stream.
 */
const smallPictures = `(() => {
  const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  const size = { width: 160, height: 120, frameRate: 10 };
  navigator.mediaDevices.getUserMedia = ({ video, ...others }) =>
    open(video ? { ...others, video: size } : others);
})()`;

const watchFrames = `(() => {
  const seen = new Map();
  const watch = ({ id, name, stream }) => {
    const video = document.createElement("video");
    Object.assign(video, { srcObject: stream, muted: true, autoplay: true, width: 80 });
    document.body.append(video);
    const one = { name, stream, frames: 0, gapMs: 0, atMs: undefined, sinceMs: performance.now() };
    seen.set(id, one);
    const onFrame = (nowMs) => {
      one.frames += 1;
      one.gapMs = Math.max(one.gapMs, one.atMs === undefined ? 0 : nowMs - one.atMs);
      one.atMs = nowMs;
      video.requestVideoFrameCallback(onFrame);
    };
    video.requestVideoFrameCallback(onFrame);
  };
  const look = () => {
    const peers = window.room.view().peers.filter(({ isInCall }) => isInCall);
    peers.filter(({ id, stream }) => stream && seen.get(id)?.stream !== stream).forEach(watch);
  };
  window.room.subscribe(look);
  look();
  window.forgetGaps = () => seen.forEach((one) => Object.assign(one, { gapMs: 0 }));
  window.seen = () => {
    const present = new Set(window.room.view().peers.map(({ id }) => id));
    const now = performance.now();
    return Object.fromEntries(
      [...seen].filter(([id]) => present.has(id)).map(([, { name, frames, gapMs, atMs, sinceMs }]) => [
        name,
        {
          frames,
          gapMs: Math.round(Math.max(gapMs, now - (atMs ?? now))),
          ageMs: Math.round(now - (atMs ?? sinceMs)),
        },
      ]),
    );
  };
})()`;

/** Created by the first user of the platform, who also joins. */
export async function aMeeting(platform: BrowserPlatform, browser: TestBrowser): Promise<Meeting> {
  const rest = await platform.rest(admin);
  const { body } = await rest.succeed("POST /conferences", {
    body: { name: "Site inspection", participants: "nia@customer.example" },
  });
  const tokenOf = (name: string) => meetingToken(platform.url, String(body["url"]), name);
  return {
    enter: async (name, initScript = "") => {
      const page = await openCore(browser, {
        ...{ url: platform.url, token: await tokenOf(name), facing: "user" },
        viewport: { width: 320, height: 240 },
        initScript: `${smallPictures};${initScript}`,
        // The sound exceeds what a machine without a sound card plays.
        expectedErrors: [/AudioContext encountered/u],
      });
      await page.evaluate(watchFrames);
      await page.evaluate("room.join()");
      return page;
    },
  };
}

export function seenBy(page: Page): Promise<Seen> {
  return page.evaluate<Seen>("window.seen()");
}

/** Waits until each page shows new frames of all others. */
export async function seeEverybody(pages: readonly Page[], timeoutMs = 30_000): Promise<void> {
  const before = await Promise.all(pages.map(seenBy));
  for (const [index, page] of pages.entries()) {
    await eventually(
      async () => {
        const now = await seenBy(page);
        const moving = Object.entries(now).filter(
          ([name, { frames }]) => frames > (before[index]?.[name]?.frames ?? 0) + 3,
        );
        if (moving.length !== pages.length - 1) {
          throw new Error(`Page ${index} sees ${JSON.stringify(now)}`);
        }
      },
      { timeoutMs },
    );
  }
}

/** Waits until the last frame of the only other participant is a second old. */
export function seeNoPictures(page: Page): Promise<void> {
  return eventually(
    async () => {
      const ages = Object.values(await seenBy(page)).map(({ ageMs }) => ageMs);
      if (ages.length !== 1 || Math.min(...ages) < stillMs) {
        throw new Error(`The last pictures came ${ages.join()} ms ago`);
      }
    },
    { timeoutMs: 20_000 },
  );
}

/**
 * Waits until sound of the only other participant arrives, or until the last of it is a second old.
 */
export function seeSound(page: Page, isSent: boolean): Promise<void> {
  return eventually(
    async () => {
      const ageMs = await page.evaluate<number>(`(async () => {
        const ages = [];
        for (const pc of window.connections.filter((one) => one.connectionState === "connected")) {
          (await pc.getStats()).forEach(({ type, kind, timestamp, lastPacketReceivedTimestamp }) => {
            if (type === "inbound-rtp" && kind === "audio" && lastPacketReceivedTimestamp) {
              ages.push(timestamp - lastPacketReceivedTimestamp);
            }
          });
        }
        return Math.min(${stillMs}, ...ages);
      })()`);
      if (ageMs < stillMs !== isSent) {
        throw new Error(`The last packet of sound came ${Math.round(ageMs)} ms ago, or more`);
      }
    },
    { timeoutMs: 20_000 },
  );
}

/** Open connections of the page: one per peer in a mesh, one or two to a LiveKit server. */
export function openConnections(page: Page): Promise<number> {
  return page.evaluate<number>(
    `window.connections.filter(({ connectionState }) => connectionState === "connected").length`,
  );
}

/** Waits until each page has left the mesh, or LiveKit. */
export async function seeConnections(pages: readonly Page[], count: number): Promise<void> {
  for (const page of pages) {
    await eventually(
      async () => {
        const open = await openConnections(page);
        if (open !== count) {
          throw new Error(`${open} connections are open`);
        }
      },
      { timeoutMs: 30_000 },
    );
  }
}
