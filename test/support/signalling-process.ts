/**
 * A web process with sockets and short intervals, for tests that kill it. Prints its port and keeps
 * running.
 */
import { openProcess } from "../../src/compose/platform.ts";
import { composeWeb } from "../../src/compose/web.ts";
import { serveSignalling } from "../../src/compose/signalling.ts";
import { createHttpServer, messageClasses } from "../../src/http/http-server.ts";
import { runUntilSignal } from "../../src/platform/lifecycle.ts";
import { shortTimes } from "./signalling.ts";

await runUntilSignal("web", async (lifecycle) => {
  const platform = await openProcess("web", lifecycle);
  const { app } = composeWeb(platform);
  const server = createHttpServer(app, { messages: messageClasses(app) });
  lifecycle.onStop("web server", async () => void (await server.close(2_000)));
  serveSignalling(platform, server, shortTimes);
  const port = await server.listen(0, "127.0.0.1");
  process.stdout.write(`listens on ${port}\n`);
});
