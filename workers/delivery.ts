import { openProcess, openHealth } from "../src/compose/platform.ts";
import { startDelivery, startStandIn } from "../src/compose/roles.ts";
import { runUntilSignal } from "../src/platform/lifecycle.ts";

void runUntilSignal("delivery", async (lifecycle) => {
  const platform = await openProcess("delivery", lifecycle);
  const listen = openHealth(platform);
  startStandIn(platform, startDelivery(platform));
  await listen();
});
