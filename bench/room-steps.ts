/** The parts `rooms` and `calls`: they measure, print, and return what is kept. */
import type { Plan } from "./plan.ts";
import { callTables, roomSignallingTables } from "./rooms-report.ts";
import { calls, type CallsResult } from "./scenarios/calls.ts";
import { roomSignalling, type RoomSignallingResult } from "./scenarios/room-signalling.ts";
import { profileFlags } from "./scenarios/throughput.ts";
import type { Bench } from "./support/run-bench.ts";

export async function measureRooms(bench: Bench, plan: Plan): Promise<RoomSignallingResult> {
  const { rooms, roomSeconds: seconds } = plan;
  const options = { rooms, seconds, webFlags: profileFlags(plan) };
  const result = await roomSignalling(bench.stack, options);
  bench.print(roomSignallingTables(result));
  return result;
}

export async function measureCalls(bench: Bench, plan: Plan): Promise<CallsResult> {
  const print = (text: string): void => bench.print(text);
  const result = await calls(bench.stack, { calls: plan.calls, outages: plan.outageRounds, print });
  bench.print(callTables(result));
  return result;
}
