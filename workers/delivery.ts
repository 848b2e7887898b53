import { openProcess, serveHealth, startDelivery } from "../src/compose.ts";
import { runUntilSignal } from "../src/platform/lifecycle.ts";

await runUntilSignal("delivery", async (lifecycle) => {
  const platform = await openProcess("delivery", lifecycle);
  startDelivery(platform);
  await serveHealth(platform);
});
