import { openProcess, serveHealth } from "../src/compose/platform.ts";
import { startDelivery } from "../src/compose/roles.ts";
import { runUntilSignal } from "../src/platform/lifecycle.ts";

await runUntilSignal("delivery", async (lifecycle) => {
  const platform = await openProcess("delivery", lifecycle);
  startDelivery(platform);
  await serveHealth(platform);
});
