/**
 * Upper limit of POSTs on this machine, with the same bytes, receiver and concurrency as the
 * platform.
 */
import { buildRequest } from "../../src/pipeline/delivery/request.ts";
import type { LoopInput } from "../processes/loop.ts";
import { benchEvent, eventIdOf } from "../support/events.ts";
import type { Rig } from "../support/rig.ts";
import { machineMeter } from "../support/costs.ts";

export type BareLoopResult = { perSecond: number; cpuUsPerPost: number; otherCores: number };

/** The speed of the machine at this time, with which the results of a part are compared. */
export type Yardstick = {
  perSecond: number;
  cpuUsPerPost: number;
  /** Duration of one POST when they are sent sequentially. */
  postMs: number;
};

function sampleRequest(url: string): { headers: Record<string, string>; body: string } {
  const { event, object, objectId, props } = benchEvent(1, 1_000_000);
  const now = new Date();
  const time = Math.floor(now.getTime() / 1_000);
  const body = JSON.stringify({ event, time, object, objectId, props });
  const secrets = [`whsec_${Buffer.alloc(32, 9).toString("base64")}`];
  const delivery = { url, body, secrets, headers: [], sequence: 1_000_000, attempt: 1 };
  const { request } = buildRequest({ ...delivery, eventId: eventIdOf(999_999_999_999) }, now);
  return { headers: { ...request.headers }, body };
}

/** The default concurrency of a delivery process per object kind. */
const defaultConcurrency = 100;

export async function bareLoop(
  rig: Rig,
  {
    concurrency = defaultConcurrency,
    ...options
  }: Pick<LoopInput, "client" | "warmUpPosts" | "measureMs"> & { concurrency?: number },
): Promise<BareLoopResult> {
  const url = `${rig.receiverUrl}/bare/0`;
  const stopMeter = machineMeter([rig.loopPid, rig.receiverPid]);
  const request = { url, ...sampleRequest(url) };
  const result = await rig.loop("run", { ...options, request, concurrency });
  return { ...result, otherCores: stopMeter() };
}

/** Short, because every part starts with it. */
export async function yardstick(rig: Rig): Promise<Yardstick> {
  const options = { client: "platform", warmUpPosts: 2_000, measureMs: 1_000 } as const;
  const { perSecond, cpuUsPerPost } = await bareLoop(rig, options);
  const alone = await bareLoop(rig, {
    ...{ ...options, concurrency: 1, warmUpPosts: 200, measureMs: 500 },
  });
  return { perSecond, cpuUsPerPost, postMs: 1_000 / alone.perSecond };
}
