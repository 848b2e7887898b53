/** Upper limit of POSTs on this machine: same bytes, receiver and concurrency. */
import { buildRequest } from "../../src/pipeline/delivery/request.ts";
import type { LoopInput } from "../processes/loop.ts";
import { benchEvent, eventIdOf } from "../support/events.ts";
import type { Rig } from "../support/rig.ts";
import { machineMeter } from "../support/costs.ts";

export type BareLoopResult = { perSecond: number; cpuUsPerPost: number; otherCores: number };

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
const concurrency = 100;

export async function bareLoop(
  rig: Rig,
  { client, warmUpPosts, measureMs }: Pick<LoopInput, "client" | "warmUpPosts" | "measureMs">,
): Promise<BareLoopResult> {
  const url = `${rig.receiverUrl}/bare/0`;
  const stopMeter = machineMeter([rig.loopPid, rig.receiverPid]);
  const result = await rig.loop("run", {
    client,
    request: { url, ...sampleRequest(url) },
    concurrency,
    warmUpPosts,
    measureMs,
  });
  return { ...result, otherCores: stopMeter() };
}
