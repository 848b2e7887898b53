import { openProcess, serveHealth, startRelay } from "../src/compose.ts";
import { runUntilSignal } from "../src/platform/lifecycle.ts";

await runUntilSignal("relay", async (lifecycle) => {
  const platform = await openProcess("relay", lifecycle);
  startRelay(platform);
  await serveHealth(platform);
});
