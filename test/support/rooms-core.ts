/**
 * The core of the rooms in a blank page of the platform, without the user interface: bundled and
 * served at an address of the platform, so that the Content-Security-Policy applies.
 */
import type { Page } from "playwright-core";
import { loadRoom, watchConnections, type RoomOptions } from "../../bench/support/rooms-core.ts";
import type { OpenOptions, TestBrowser } from "./browser.ts";
import { eventually } from "./eventually.ts";

export type CoreOptions = RoomOptions &
  Readonly<{
    viewport?: OpenOptions["viewport"];
    context?: OpenOptions["context"];
    expectedErrors?: OpenOptions["expectedErrors"];
    /** Runs in the page before its own scripts. */
    initScript?: string;
  }>;

/**
 * A page in a new browser context with a connecting room as `window.room`, and open devices.
 * Scripts of tests are strings, because tests are compiled without DOM types.
 */
export async function openCore(browser: TestBrowser, options: CoreOptions): Promise<Page> {
  const page = await browser.open({
    ...(options.viewport === undefined ? {} : { viewport: options.viewport }),
    context: { permissions: ["camera", "microphone"], ...options.context },
    expectedErrors: [/WebSocket connection to .* failed/u, ...(options.expectedErrors ?? [])],
  });
  await page.addInitScript(`${watchConnections};${options.initScript ?? ""}`);
  await loadCore(page, options);
  return page;
}

/** Like `openCore`, and joins the call. */
export async function joinCore(browser: TestBrowser, options: CoreOptions): Promise<Page> {
  const page = await openCore(browser, options);
  await page.evaluate("room.join()");
  return page;
}

/** The same in an existing page: after a reload, or of another browser. */
export async function loadCore(page: Page, options: RoomOptions): Promise<void> {
  await loadRoom(page, options);
  await page.evaluate("room.openDevices({ camera: true, microphone: true })");
  await page.evaluate("room.connect()");
}

/**
 * For `initScript`: connections of a mesh may use a relay only, of which there is none, until
 * `window.isBlocked` is false and ICE restarts. LiveKit is not blocked.
 */
export const blockMesh = `
  window.isBlocked = true;
  window.RTCPeerConnection = class extends window.RTCPeerConnection {
    constructor(configuration) {
      const isMesh = configuration?.iceTransportPolicy === "all";
      super(
        isMesh && window.isBlocked ? { ...configuration, iceTransportPolicy: "relay" } : configuration,
      );
    }
    restartIce() {
      if (!window.isBlocked) {
        this.setConfiguration({ ...this.getConfiguration(), iceTransportPolicy: "all" });
      }
      super.restartIce();
    }
  };`;

/** Waits until the page has decoded this many frames of the others. */
export function seeFrames(page: Page, atLeast: number): Promise<void> {
  return eventually(async () => {
    const frames = await page.evaluate<number>("window.framesDecoded()");
    if (frames < atLeast) {
      throw new Error(`${frames} frames`);
    }
  });
}

export type View = {
  connection: string;
  phase: string;
  peers: {
    id: string;
    role: string;
    media: string;
    participant: string;
    isInCall: boolean;
    hasScreen: boolean;
    state: Record<string, unknown>;
  }[];
  messages: { text: string; state: string; isOwn: boolean }[];
  board?: { mediaId: number; shapes: { id: string }[] };
  shared: { mediaId: number }[];
  local: Record<string, unknown>;
  recording: { state: string };
  waiting: { participant: string; name: string }[];
  admission?: string;
  joinFault?: { reason?: string };
  isLocked: boolean;
  notice?: string;
  overReason?: string;
  leaveReason?: string;
};

export function viewOf(page: Page): Promise<View> {
  return page.evaluate(`(() => {
    const { self, connection, phase, joinFault, peers, messages, board, shared, local, notice, recording, leaveReason, overReason, waiting, admission, isLocked } = window.room.view();
    const shown = peers.map(({ stream, screen, ...peer }) => ({ ...peer, hasStream: stream !== undefined, hasScreen: screen !== undefined }));
    const { stream, screen, ...flags } = local;
    return { connection, phase, joinFault, peers: shown, messages, board, shared, local: flags, notice, waiting, admission, isLocked, leaveReason, overReason, recording: { state: recording.state } };
  })()`);
}

/** Waits until the predicate accepts the view of the page. */
export async function see(page: Page, isSeen: (view: View) => boolean): Promise<View> {
  return eventually(async () => {
    const view = await viewOf(page);
    if (!isSeen(view)) {
      throw new Error(`The page shows ${JSON.stringify(view)}`);
    }
    return view;
  });
}

/**
 * Waits until the page was without signalling for this long without interruption, by its own clock.
 */
export async function seeAwayFor(page: Page, ms: number): Promise<void> {
  const isAway = `(() => {
    const { connection } = window.room.view();
    window.awaySinceMs = connection === "connected" ? undefined : (window.awaySinceMs ?? performance.now());
    return performance.now() - window.awaySinceMs >= ${ms};
  })()`;
  await eventually(() => page.evaluate<boolean>(isAway), { timeoutMs: ms + 10_000 });
}

export { watchConnections };
