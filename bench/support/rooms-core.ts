/**
 * The core of the rooms in a blank page of the platform, without the user interface: bundled and
 * served at an address of the platform, so that the Content-Security-Policy applies.
 */
import { fileURLToPath } from "node:url";
import { build } from "vite";
import type { Page } from "playwright-core";

const core = fileURLToPath(new URL("../../web/rooms/create-room.ts", import.meta.url));

const scriptPath = "/assets/rooms-core-under-test.js";

/** Code by file name. The page loads the entry, which loads the others. */
type Bundle = Readonly<{ entry: string; parts: ReadonlyMap<string, string> }>;

let bundle: Promise<Bundle> | undefined;

async function bundleCore(): Promise<Bundle> {
  const built = await build({
    configFile: false,
    logLevel: "error",
    build: { write: false, minify: false, lib: { entry: core, formats: ["es"] } },
  });
  const [output] = Array.isArray(built) ? built : [built];
  if (output === undefined || !("output" in output)) {
    throw new Error("The core was not built.");
  }
  const [entry, ...others] = output.output;
  const parts = others.flatMap((file) =>
    file.type === "chunk" ? [[`/assets/${file.fileName}`, file.code] as const] : [],
  );
  return { entry: entry.code, parts: new Map(parts) };
}

export type RoomOptions = Readonly<{ url: string; token: string; facing: "user" | "environment" }>;

/**
 * Opens the platform's start page and creates a room in it, as `window.room`. The scripts are
 * strings, because tests and benchmarks are compiled without DOM types.
 */
export async function loadRoom(page: Page, { url, token, facing }: RoomOptions): Promise<void> {
  bundle ??= bundleCore();
  const { entry, parts } = await bundle;
  const code = `${entry}\nwindow.createRoom = createRoom;`;
  for (const [path, body] of parts) {
    await page.route(`**${path}`, (route) =>
      route.fulfill({ contentType: "text/javascript", body }),
    );
  }
  await page.route(`**${scriptPath}`, (route) =>
    route.fulfill({ contentType: "text/javascript", body: code }),
  );
  await page.goto(url);
  await page.addScriptTag({ url: scriptPath, type: "module" });
  await page.waitForFunction("window.createRoom !== undefined");
  const options = JSON.stringify({ token, facing });
  await page.evaluate(`window.room = window.createRoom(${options}), undefined`);
}

/**
 * Script for a page: records its connections, and counts the decoded frames of the other
 * participants.
 */
export const watchConnections = `(() => {
  const Original = window.RTCPeerConnection;
  window.connections = [];
  window.RTCPeerConnection = class extends Original {
    constructor(...options) {
      super(...options);
      window.connections.push(this);
    }
  };
  window.framesDecoded = async () => {
    let frames = 0;
    for (const one of window.connections.filter((pc) => pc.connectionState !== "closed")) {
      (await one.getStats()).forEach((entry) => {
        frames += entry.type === "inbound-rtp" ? (entry.framesDecoded ?? 0) : 0;
      });
    }
    return frames;
  };
})()`;
