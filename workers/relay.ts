import { openProcess, openHealth } from "../src/compose/platform.ts";
import { startRelay } from "../src/compose/roles.ts";
import { runUntilSignal } from "../src/platform/lifecycle.ts";

void runUntilSignal("relay", async (lifecycle) => {
  const platform = await openProcess("relay", lifecycle);
  const listen = openHealth(platform);
  startRelay(platform);
  await listen();
});
