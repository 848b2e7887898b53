/**
 * The environment in which calls are measured: a web process, a network that can fail, and a
 * Chromium.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { findFreePort } from "../../src/embedded/supervisor/formation.ts";
import { closeCall, mediaFlags, openCall, type CallPages } from "./call-pages.ts";
import type { Child } from "./children.ts";
import { launchChromium } from "./chromium.ts";
import { startLossyNetwork, type LossyNetwork } from "./lossy-network.ts";
import { writeMovingPicture } from "./moving-picture.ts";
import { agent as login, startRole, type Stack } from "./stack.ts";
import { openVisit, signIn, type Visit } from "./visits.ts";

/** A web process behind a network that can fail, and calls over it. */
export type CallSetup = Readonly<{
  stack: Stack;
  network: LossyNetwork;
  startWeb(): Promise<Child>;
  withCall<T>(work: (pages: CallPages, visit: Visit) => Promise<T>): Promise<T>;
  /** Runs `work` with a camera whose video is as hard to encode as that of a hand-held phone. */
  withMovingPicture<T>(work: (pages: CallPages) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}>;

export async function openCallSetup(stack: Stack): Promise<CallSetup> {
  const webPort = await findFreePort("127.0.0.1");
  const network = await startLossyNetwork(webPort);
  const url = `http://localhost:${network.port}`;
  const browser = await launchChromium(mediaFlags);
  const startWeb = async (): Promise<Child> => {
    const env = { BASE_URL: url, RATE_LIMIT_GUEST: "100000000" };
    const port = String(webPort);
    return (await startRole(stack, "web", { file: "src/server.ts", queue: "redis", port, env }))
      .child;
  };
  const web = { child: await startWeb() };
  // The schedule detects absent pages. Without it, an absence of both for 60 s counts as a crash of
  // the platform.
  const schedule = await startRole(stack, "schedule", {
    file: "workers/schedule.ts",
    queue: "redis",
  });
  const newVisit = async () => openVisit(await signIn(url, login), login.login);
  const callIn = async <T>(
    one: Browser,
    work: (pages: CallPages, visit: Visit) => Promise<T>,
  ): Promise<T> => {
    const visit = await newVisit();
    const pages = await openCall({ browser: one, network, url }, visit);
    const result = await work(pages, visit);
    await closeCall(pages);
    return result;
  };
  return {
    ...{ stack, network },
    startWeb: async () => {
      await web.child.kill();
      return (web.child = await startWeb());
    },
    withCall: (work) => callIn(browser, work),
    withMovingPicture: (work) => inMovingPicture((moving) => callIn(moving, work)),
    close: async () => {
      await browser.close();
      await web.child.stop();
      await schedule.child.stop();
      await network.close();
    },
  };
}

async function inMovingPicture<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), "sightline-picture-"));
  const path = join(dir, "moving.y4m");
  await writeMovingPicture(path);
  const browser = await launchChromium([
    ...mediaFlags,
    `--use-file-for-fake-video-capture=${path}`,
  ]);
  try {
    return await work(browser);
  } finally {
    await browser.close();
    await rm(dir, { recursive: true, force: true });
  }
}
