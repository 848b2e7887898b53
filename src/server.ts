/** The `web` process of the Procfile. */
import { startWeb } from "./compose/web.ts";
import { openProcess } from "./compose/platform.ts";
import { runUntilSignal } from "./platform/lifecycle.ts";

void runUntilSignal("web", async (lifecycle) => {
  await startWeb(await openProcess("web", lifecycle));
});
