/**
 * `npm run livekit`: a LiveKit server on this machine for manual calls, built once with Go. Prints
 * the settings for a platform on the same machine, and runs until Ctrl-C.
 */
import { once } from "node:events";
import { startLivekitServer } from "../support/livekit-server.ts";

const server = await startLivekitServer();
const settings = Object.entries(server.environment).map(
  ([name, value]) => `export ${name}=${value}`,
);
process.stdout.write(`${settings.join("\n")}\n\nStop: Ctrl-C\n`);
await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
await server.stop();
