/** Composition of webhooks: settings, the log, explanations, replays, pulling, tests. */
import { findLogins } from "../accounts/directory-store.ts";
import { findActiveUsers, findCompany } from "../accounts/people-to-tell.ts";
import type { AnyRoute } from "../http/route.ts";
import { deleteInboxEvent } from "../inbox/forget-event.ts";
import { deleteInboxRequests } from "../inbox/store.ts";
import { createSendOnce } from "../pipeline/delivery/send-once.ts";
import { createEmailLinks } from "../webhooks/alerts/email-link.ts";
import { alertRoutes } from "../webhooks/alerts/routes.ts";
import { createAlerts, type Alerts } from "../webhooks/alerts/service.ts";
import { explainRoutes } from "../webhooks/explain/routes.ts";
import { createExplain } from "../webhooks/explain/service.ts";
import { expungeRoutes } from "../webhooks/expunge/routes.ts";
import { createExpunge } from "../webhooks/expunge/service.ts";
import { filterTestRoutes } from "../webhooks/filter-test/routes.ts";
import { createFilterTest } from "../webhooks/filter-test/service.ts";
import { liveRoutes } from "../webhooks/live/routes.ts";
import { createLive } from "../webhooks/live/service.ts";
import { deliveryLogRoutes } from "../webhooks/log/routes.ts";
import { createDeliveryLog } from "../webhooks/log/service.ts";
import { proofRoutes } from "../webhooks/proof/routes.ts";
import { createProof } from "../webhooks/proof/service.ts";
import { pullRoutes } from "../webhooks/pull/routes.ts";
import { createPull } from "../webhooks/pull/service.ts";
import { replayRoutes } from "../webhooks/replays/routes.ts";
import { createRecoveries } from "../webhooks/replays/recover.ts";
import { recoveryRoutes } from "../webhooks/replays/recovery-routes.ts";
import { createReplays } from "../webhooks/replays/service.ts";
import { createReplayTasks } from "../webhooks/replays/step.ts";
import { retryRoutes } from "../webhooks/retries/routes.ts";
import { createRetries } from "../webhooks/retries/service.ts";
import { seriesRoutes } from "../webhooks/series/routes.ts";
import { createWebhookRoutes } from "../webhooks/routes.ts";
import { createWebhookService, type WebhookService } from "../webhooks/service.ts";
import { testSendRoutes } from "../webhooks/test-send/routes.ts";
import { createTestSends } from "../webhooks/test-send/service.ts";
import type { TaskHandlers } from "../platform/tasks/task.ts";
import type { Platform } from "./platform.ts";
import type { Slices } from "./slices.ts";

export function composeWebhooks(platform: Platform, { audit }: Slices): WebhookService {
  const { db, box, ids, clock, log, guard, notifier } = platform;
  return createWebhookService({
    ...{ db, ids, clock, log, audit },
    secretBox: box,
    checkUrl: (url) => guard.checkResolved(url),
    inbox: { bases: [platform.inboxBase, platform.baseUrl], forget: deleteInboxRequests },
    onChanged: () => {
      notifier.wake("outbox");
      notifier.wake("schedule");
    },
  });
}

export function composeReplayTasks(platform: Platform, slices: Slices): TaskHandlers {
  return createReplayTasks(replayDeps(platform, slices));
}

/**
 * Every operation of webhooks. Those with a name of their own stand before `{webhookId}`, which
 * would match it.
 */
export function webhookOperations(
  platform: Platform,
  slices: Slices,
  webhooks: WebhookService,
): AnyRoute[] {
  const { db, clock, log, audit, browserSessions } = slices;
  const { lifecycle, config } = platform;
  const { retentionDays } = config.delivery;
  const { recheck } = browserSessions;
  const { signal: stopping } = lifecycle;
  const replays = replayDeps(platform, slices);
  return [
    ...liveRoutes(createLive({ db, clock, log, recheck, stopping })),
    ...seriesRoutes({ db, clock }),
    ...deliveryLogRoutes(createDeliveryLog({ db })),
    ...explainRoutes(createExplain({ db, clock, findLogins, retentionDays })),
    ...filterTestRoutes(createFilterTest({ db })),
    ...proofRoutes(createProof({ db, clock, retentionDays })),
    ...retryRoutes(createRetries({ db, clock, audit, onDue: wakeSchedule(platform) })),
    ...replayRoutes({ replays: createReplays(replays), clock }),
    ...recoveryRoutes({ recoveries: createRecoveries(replays), clock }),
    ...expungeRoutes(createExpunge({ db, clock, audit, forgetInInboxes: deleteInboxEvent })),
    ...pullRoutes(createPull({ db, clock, log, recheck, stopping })),
    ...testSendRoutes(composeTestSends(platform, slices)),
    ...alertRoutes(composeAlerts(platform, slices)),
    ...createWebhookRoutes(webhooks),
  ];
}

/** What a replay needs, in the web process and where its steps run. */
function replayDeps(platform: Platform, { db, clock, tasks, audit }: Slices) {
  return {
    ...{ db, clock, tasks, audit },
    onDue: wakeSchedule(platform),
    retentionDays: platform.config.delivery.retentionDays,
  };
}

function wakeSchedule({ notifier }: Platform) {
  return (): void => notifier.wake("schedule");
}

/** Somebody waits for the answer of a test. */
const longestTestMs = 15_000;

function composeTestSends(platform: Platform, { audit }: Slices) {
  const { db, box, clock, ids, log, guard, config, lifecycle } = platform;
  const timeoutMs = Math.min(config.delivery.timeoutMs, longestTestMs);
  const client = createSendOnce({ db, box, clock, guard, timeoutMs });
  lifecycle.onStop("test sends", async () => client.close());
  return createTestSends({ ...{ db, clock, ids, log, audit }, sendTest: client.send });
}

function composeAlerts(platform: Platform, { db, clock, audit, messaging }: Slices): Alerts {
  return createAlerts({
    ...{ db, clock, audit, findActiveUsers, findCompany },
    links: createEmailLinks(platform),
    queueMail: (trx, mail) => messaging.queueMail(trx, mail),
  });
}
