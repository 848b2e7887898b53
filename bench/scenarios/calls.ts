/**
 * Calls in a real Chromium with fake devices (`--only=calls`): time to the first picture, time to
 * recover it after an outage, the effect of a platform restart on a call, and the bandwidth of a
 * page.
 */
import { rowsOf } from "../../src/platform/db/pool.ts";
import { sleep } from "../../src/platform/concurrency/async.ts";
import {
  countMedia,
  frameTimes,
  poll,
  type CallPages,
  type MediaCounts,
} from "../support/call-pages.ts";
import { openCallSetup, type CallSetup } from "../support/call-setup.ts";
import type { Stack } from "../support/stack.ts";
import { nowMs, percentilesOf, type Percentiles } from "../support/statistics.ts";

export type CallsResult = {
  /** Time from opening the link to the agent's first picture, in ms; one number per call. */
  firstFrameMs: Percentiles;
  calls: number;
  /** The slower of both pages, one number per outage. */
  outages: { seconds: number; pictureBackMs: number[] }[];
  restart: RestartResult;
  pointerMs: Percentiles;
  photo: { seenMs: number; width: number; height: number };
  bitrates: {
    network: string;
    videoKbit: number;
    audioKbit: number;
    fps: number;
    height: number;
    /** Longest gap between two frames since the network was degraded. */
    longestGapMs: number;
  }[];
};

type RestartResult = {
  awayMs: number;
  /** Longest gap between two frames before and during the restart, on the slower of both pages. */
  longestGapBeforeMs: number;
  longestGapMs: number;
  packetsLost: number;
  entriesDoubled: number;
};

export type CallsOptions = Readonly<{
  calls: number;
  /** Number of outages of 5 s and of 25 s; the longest one is measured once. */
  outages: number;
  print: (text: string) => void;
}>;

export async function calls(stack: Stack, options: CallsOptions): Promise<CallsResult> {
  const setup = await openCallSetup(stack);
  try {
    return await measureAll(setup, options);
  } finally {
    await setup.close();
  }
}

async function measureAll(
  setup: CallSetup,
  { calls: count, outages: rounds, print }: CallsOptions,
): Promise<CallsResult> {
  await setup.withCall(async () => undefined); // the first call loads all assets
  const firstFrames: number[] = [];
  for (let call = 0; call < count; call += 1) {
    firstFrames.push(await setup.withCall(({ customer }) => measureFirstFrame(customer)));
  }
  const firstFrameMs = percentilesOf(Float64Array.from(firstFrames));
  print(`first frame: ${firstFrames.map(Math.round).join(", ")} ms`);
  const outages: CallsResult["outages"] = [];
  for (const seconds of [5, 25, 84]) {
    const pictureBackMs: number[] = [];
    for (let round = 0; round < (seconds > 60 ? 1 : rounds); round += 1) {
      pictureBackMs.push(await measureOutage(setup, seconds));
    }
    outages.push({ seconds, pictureBackMs });
  }
  const restart = await measureRestart(setup);
  const pointerMs = await setup.withCall(measurePointer);
  const photo = await setup.withCall(measurePhoto);
  const bitrates = await measureBitrates(setup);
  return { firstFrameMs, calls: count, outages, restart, pointerMs, photo, bitrates };
}

function measureFirstFrame(customer: CallPages["customer"]): Promise<number> {
  return customer.evaluate<number>("window.frameTimes[0] - performance.timeOrigin");
}

const sides = ["agent", "customer"] as const;

async function measureOutage({ withCall, network }: CallSetup, seconds: number): Promise<number> {
  return withCall(async (pages) => {
    await sleep(5_000);
    network.disconnect();
    await sleep(seconds * 1_000);
    const restoredMs = nowMs();
    network.restore();
    const back = { agent: Number.NaN, customer: Number.NaN };
    await poll(async () => {
      for (const side of sides) {
        const first = (await frameTimes(pages[side])).find((at) => at > restoredMs);
        back[side] = first === undefined ? Number.NaN : first - restoredMs;
      }
      return sides.every((side) => !Number.isNaN(back[side]));
    }, "a picture again");
    return Math.max(back.agent, back.customer);
  });
}

/** `kill -9` of the only web process, then a new one on the same port. */
async function measureRestart({ withCall, startWeb, stack }: CallSetup): Promise<RestartResult> {
  return withCall(async (pages, { ticketId }) => {
    await sleep(5_000);
    const lostBefore = await packetsLost(pages);
    const killedMs = nowMs();
    await startWeb();
    const awayMs = nowMs() - killedMs;
    const isBack = `room.view().connection === "connected" && room.view().phase === "in-call"`;
    await poll(async () => {
      const back = await Promise.all(sides.map((side) => pages[side].evaluate<boolean>(isBack)));
      return back.every(Boolean);
    }, "the call again");
    await sleep(5_000);
    const gaps = await Promise.all(
      sides.map(async (side) => {
        const times = await frameTimes(pages[side]);
        return {
          before: longestGap(times.filter((at) => at > killedMs - 4_000 && at < killedMs)),
          around: longestGap(times.filter((at) => at >= killedMs)),
        };
      }),
    );
    const doubled = await rowsOf<{ event_type: string }>(
      stack.db,
      "SELECT event_type FROM session_events WHERE ticket_id = ? GROUP BY 1 HAVING count(*) > 1",
      [ticketId],
    );
    return {
      awayMs,
      longestGapBeforeMs: Math.max(...gaps.map(({ before }) => before)),
      longestGapMs: Math.max(...gaps.map(({ around }) => around)),
      packetsLost: (await packetsLost(pages)) - lostBefore,
      entriesDoubled: doubled.length,
    };
  });
}

async function packetsLost(pages: CallPages): Promise<number> {
  const counts = await Promise.all(sides.map((side) => countMedia(pages[side], "inbound")));
  return counts.reduce((sum, one) => sum + one.packetsLost, 0);
}

function longestGap(times: readonly number[]): number {
  return times.reduce((longest, at, n) => Math.max(longest, at - (times[n - 1] ?? at)), 0);
}

const pointers = 150;

/** Latency from the agent's page to the customer's, ten times per second. */
async function measurePointer({ agent, customer }: CallPages): Promise<Percentiles> {
  await customer.evaluate(`(() => {
    window.pointers = new Map();
    room.subscribe(() => {
      const x = room.view().pointer?.point.x;
      if (x !== undefined && !window.pointers.has(x)) {
        window.pointers.set(x, window.nowMs());
      }
    });
  })()`);
  const sent = await agent.evaluate<[number, number][]>(`(async () => {
    const sent = [];
    for (let n = 1; n <= ${pointers}; n += 1) {
      const x = n / 1000;
      sent.push([x, window.nowMs()]);
      room.movePointer({ x, y: 0.5 });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return sent;
  })()`);
  await sleep(1_000);
  const heard = new Map(await customer.evaluate<[number, number][]>("[...window.pointers]"));
  const tookMs = sent.flatMap(([x, at]) => {
    const heardMs = heard.get(x);
    return heardMs === undefined ? [] : [heardMs - at];
  });
  if (tookMs.length < pointers * 0.95) {
    throw new Error(`Only ${tookMs.length} of ${pointers} pointers arrived`);
  }
  return percentilesOf(Float64Array.from(tookMs));
}

/** Time from the agent's click until the agent's page has the picture. */
function measurePhoto({ agent }: CallPages): Promise<CallsResult["photo"]> {
  return agent.evaluate<CallsResult["photo"]>(`(async () => {
    const startMs = performance.now();
    const peer = room.view().peers.find(({ isInCall }) => isInCall);
    const result = await room.command(peer.id, { name: "snapshot" });
    if (!result.ok) {
      throw new Error("No photo: " + result.reason);
    }
    const response = await fetch("/api/guest/medias/" + result.mediaId, {
      headers: { authorization: "Bearer " + window.roomToken },
    });
    if (!response.ok) {
      throw new Error("No photo: " + response.status);
    }
    const { pathname, search } = new URL((await response.json()).url);
    const picture = await fetch(pathname + search);
    const { width, height } = await createImageBitmap(await picture.blob());
    return { seenMs: performance.now() - startMs, width, height };
  })()`);
}

async function measureBitrates({
  withMovingPicture,
  network,
}: CallSetup): Promise<CallsResult["bitrates"]> {
  return withMovingPicture(async ({ agent }) => {
    const free = await measureReceived(agent, {
      network: "no limit",
      waitMs: 4_000,
      overMs: 2_000,
    });
    network.limitUplink(250);
    const limits = { network: "uplink of 250 kbit/s", waitMs: 20_000, overMs: 5_000 };
    const limited = await measureReceived(agent, limits);
    network.limitUplink(undefined);
    return [free, limited];
  });
}

/** What the agent's page receives from the customer's. */
async function measureReceived(
  page: CallPages["agent"],
  { network, waitMs, overMs }: Readonly<{ network: string; waitMs: number; overMs: number }>,
): Promise<CallsResult["bitrates"][number]> {
  const startMs = nowMs();
  await sleep(waitMs);
  const before = await countMedia(page, "inbound");
  await sleep(overMs);
  const after = await countMedia(page, "inbound");
  const perMs = (count: (counts: MediaCounts) => number): number =>
    (count(after) - count(before)) / (after.atMs - before.atMs);
  return {
    network,
    videoKbit: perMs(({ videoBytes }) => videoBytes) * 8,
    audioKbit: perMs(({ audioBytes }) => audioBytes) * 8,
    fps: perMs(({ frames }) => frames) * 1_000,
    height: after.height,
    longestGapMs: longestGap((await frameTimes(page)).filter((at) => at >= startMs)),
  };
}
