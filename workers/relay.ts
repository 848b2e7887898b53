import { openProcess, serveHealth } from "../src/compose/platform.ts";
import { startRelay } from "../src/compose/roles.ts";
import { runUntilSignal } from "../src/platform/lifecycle.ts";

await runUntilSignal("relay", async (lifecycle) => {
  const platform = await openProcess("relay", lifecycle);
  startRelay(platform);
  await serveHealth(platform);
});
