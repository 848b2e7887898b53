import { expect } from "chai";
import { composeFeatures } from "../../src/compose/features.ts";
import { openPlatform, type Platform } from "../../src/compose/platform.ts";
import { composeWebhooks } from "../../src/compose/webhooks.ts";
import { loadConfig } from "../../src/config/config.ts";
import type { StopPart } from "../../src/platform/lifecycle.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { ensureDemoSubscription } from "../../src/subscriptions/inbox.ts";
import { queueSchema } from "../support/backends.ts";
import { useDatabase } from "../support/database.ts";
import { anEnterprise } from "../support/factories.ts";
import { testKey } from "../support/secret-box.ts";

describe("the local address of the platform", () => {
  const database = useDatabase();
  const stops: StopPart[] = [];
  afterEach("stop everything", async () => {
    for (const stop of stops.splice(0).toReversed()) {
      await stop(2_000);
    }
  });

  const open = (settings: Readonly<Record<string, string>>): Promise<Platform> =>
    openPlatform({
      config: loadConfig({
        DATABASE_URL: database.url,
        QUEUE_PREFIX: queueSchema,
        HOST: "127.0.0.1",
        SECRET_KEY: testKey.toString("base64"),
        LOG_LEVEL: "silent",
        INBOX: "1",
        ...settings,
      }),
      log: createLogger("silent", "test"),
      lifecycle: {
        onStop: (_name, stop) => void stops.push(stop),
        signal: new AbortController().signal,
      },
      databaseUrl: database.url,
      secretKey: testKey,
    });

  for (const settings of [
    { PORT: "80" },
    { PORT: "80", BASE_URL: "https://demo.example" },
    { HOST: "::1", PORT: "3000" },
    { HOST: "::", PORT: "80" },
  ]) {
    it(`lets the demo webhook reach its inbox with ${JSON.stringify(settings)}`, async () => {
      const platform = await open(settings);
      const { db, box, ids, inboxBase, guard } = platform;
      const { id } = await anEnterprise(db);
      const target = { enterpriseId: id, baseUrl: inboxBase };
      const url = String(await ensureDemoSubscription({ db, secretBox: box, ids }, target));
      const verdict = guard.checkUrl(url);
      expect(verdict).to.include({ isAllowed: true, href: url, addressClass: "inbox" });
      if (verdict.isAllowed) {
        expect(guard.isAddressAllowed(verdict.host, verdict.port, "inbox")).to.equal(true);
      }
      const webhooks = composeWebhooks(platform, composeFeatures(platform));
      expect(await webhooks.findInboxSecrets(url.slice(-22))).to.have.length(1);
    });
  }
});
