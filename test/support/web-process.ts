import { openPlatform, type Platform } from "../../src/compose/platform.ts";
import { startWeb } from "../../src/compose/web.ts";
import { loadConfig } from "../../src/config/config.ts";
import type { StopPart } from "../../src/platform/lifecycle.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { queueSchema } from "./backends.ts";
import { freePort } from "./free-port.ts";
import { testKey } from "./secret-box.ts";

export type WebProcess = { platform: Platform; url: string; stop(): Promise<void> };

/** Starts what a web process runs, in this process and on a free port. */
export async function startWebProcess(
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<WebProcess> {
  const stops: StopPart[] = [];
  const port = String(await freePort());
  const platform = await openPlatform({
    config: loadConfig({
      DATABASE_URL: databaseUrl,
      QUEUE_PREFIX: queueSchema,
      HOST: "127.0.0.1",
      PORT: port,
      SECRET_KEY: testKey.toString("base64"),
      LOG_LEVEL: "silent",
      ...settings,
    }),
    log: createLogger("silent", "test"),
    lifecycle: {
      onStop: (_name, stop) => void stops.push(stop),
      signal: new AbortController().signal,
    },
    databaseUrl,
    secretKey: testKey,
  });
  await startWeb(platform);
  const stop = async (): Promise<void> => {
    for (const one of stops.toReversed()) {
      await one(2_000);
    }
  };
  return { platform, url: `http://127.0.0.1:${port}`, stop };
}
