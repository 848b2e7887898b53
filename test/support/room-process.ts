/**
 * A process with rooms, like one with signalling: for each ticket in `ROOMS`, an agent and a
 * customer join and are connected, and at times one of them leaves and rejoins. Sends heartbeats
 * every 100 ms. Never exits by itself.
 */
import { setTimeout as delay } from "node:timers/promises";
import { composeFeatures } from "../../src/compose/features.ts";
import { openProcess, openHealth } from "../../src/compose/platform.ts";
import type { Guest } from "../../src/http/route.ts";
import { runUntilSignal } from "../../src/platform/lifecycle.ts";
import type { Heartbeat } from "../../src/contracts/rooms.ts";

const guests = JSON.parse(process.env["ROOMS"] ?? "[]") as [Guest, Guest][];

await runUntilSignal("rooms", async (lifecycle) => {
  const platform = await openProcess("rooms", lifecycle);
  const listen = openHealth(platform);
  const { rooms } = composeFeatures(platform);
  const beats = new Map<string, Heartbeat>();

  const come = async (guest: Guest): Promise<void> => {
    const joined = await rooms.join({ guest, userAgent: null });
    if (joined.outcome === "joined") {
      const { enterpriseId, participant } = guest;
      beats.set(participant, { enterpriseId, participant, sessionId: joined.sessionId });
    }
  };
  const live = async ([agent, customer]: [Guest, Guest]): Promise<void> => {
    await come(agent);
    await come(customer);
    await rooms.established(agent);
    for (let step = 0; !lifecycle.signal.aborted; step += 1) {
      await delay(20);
      const one = step % 2 === 0 ? agent : customer;
      beats.delete(one.participant);
      await rooms.leave(one);
      await come(one);
    }
  };
  const sendHeartbeats = async (): Promise<void> => {
    while (!lifecycle.signal.aborted) {
      await delay(100);
      await rooms.heartbeat([...beats.values()]);
    }
  };
  await listen();
  void Promise.all([...guests.map(live), sendHeartbeats()]);
});
