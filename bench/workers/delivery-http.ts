/** The delivery process with the plain Node client. */
import { openProcess, openHealth } from "../../src/compose/platform.ts";
import { startDelivery } from "../../src/compose/roles.ts";
import { runUntilSignal } from "../../src/platform/lifecycle.ts";
import { createHttpSend } from "../clients/http-send.ts";

await runUntilSignal("delivery", async (lifecycle) => {
  const platform = await openProcess("delivery", lifecycle);
  const listen = openHealth(platform);
  const { guard, config } = platform;
  const client = createHttpSend({ guard, timeoutMs: config.delivery.timeoutMs });
  lifecycle.onStop("bench client", async () => client.close());
  startDelivery(platform, client.send);
  await listen();
});
