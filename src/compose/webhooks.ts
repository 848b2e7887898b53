/** Composition of webhooks: settings, log, explain, replays, pull, tests. */
import { findLogins } from "../accounts/directory-store.ts";
import { findActiveUsers, findEnterpriseProfile } from "../accounts/recipients-store.ts";
import type { AnyRoute } from "../http/route.ts";
import { deleteInboxEvent, deleteInboxRequests } from "../inbox/store.ts";
import { createTestSender } from "../pipeline/delivery/send.ts";
import { createEmailLinks } from "../subscriptions/alerts/confirmations.ts";
import { alertRoutes } from "../subscriptions/alerts/routes.ts";
import { createAlerts, type Alerts } from "../subscriptions/alerts/service.ts";
import { createExplainPeriod } from "../deliveries/explain/period.ts";
import { explainPeriodRoutes, explainRoutes } from "../deliveries/explain/routes.ts";
import { createExplain } from "../deliveries/explain/service.ts";
import { redactRoutes, createRedactEvent, type DeleteFromInboxes } from "../deliveries/redact.ts";
import { filterTestRoutes, createFilterTest } from "../subscriptions/filter-test.ts";
import { liveRoutes } from "../deliveries/live/routes.ts";
import { createLive } from "../deliveries/live/service.ts";
import { deliveryLogRoutes } from "../deliveries/log/routes.ts";
import { createDeliveryLog } from "../deliveries/log/service.ts";
import { reconciliationRoutes } from "../deliveries/reconciliation/routes.ts";
import { createReconciliations } from "../deliveries/reconciliation/service.ts";
import { createPull, pullRoutes } from "../deliveries/pull/pull.ts";
import { replayRoutes } from "../deliveries/replays/routes.ts";
import { createRecoveries, recoveryRoutes } from "../deliveries/replays/recovery.ts";
import { createReplays } from "../deliveries/replays/service.ts";
import { createReplayTasks } from "../deliveries/replays/step.ts";
import { retryRoutes } from "../deliveries/retries/routes.ts";
import { createRetries } from "../deliveries/retries/service.ts";
import { seriesRoutes } from "../deliveries/series.ts";
import { createWebhookRoutes } from "../subscriptions/routes.ts";
import { createWebhookService, type WebhookService } from "../subscriptions/service.ts";
import { testSendRoutes } from "../subscriptions/test-send/routes.ts";
import { createTestSends } from "../subscriptions/test-send/service.ts";
import { listInboxKeys } from "../subscriptions/inbox.ts";
import type { TaskHandlers } from "../platform/tasks/task.ts";
import type { Platform } from "./platform.ts";
import type { Features } from "./features.ts";

export function composeWebhooks(platform: Platform, { audit }: Features): WebhookService {
  const { db, box, ids, clock, log, guard, notifier } = platform;
  return createWebhookService({
    ...{ db, ids, clock, log, audit },
    secretBox: box,
    checkUrl: (url) => guard.checkResolved(url),
    inbox: { bases: [platform.inboxBase, platform.baseUrl], deleteRequests: deleteInboxRequests },
    onChanged: () => {
      notifier.wake("outbox");
      notifier.wake("schedule");
    },
  });
}

export function composeReplayTasks(platform: Platform, features: Features): TaskHandlers {
  return createReplayTasks(replayDeps(platform, features));
}

const deleteFromInboxes: DeleteFromInboxes = async (trx, enterpriseId, event) =>
  deleteInboxEvent(trx, await listInboxKeys(trx, enterpriseId), event);

/** Every operation of webhooks. Static paths precede `{webhookId}`, which would match them. */
export function webhookOperations(
  platform: Platform,
  features: Features,
  webhooks: WebhookService,
): AnyRoute[] {
  const { db, clock, log, audit, browserSessions } = features;
  const { lifecycle, config } = platform;
  const { retentionDays } = config.delivery;
  const { recheck } = browserSessions;
  const { signal: stopping } = lifecycle;
  const replays = replayDeps(platform, features);
  return [
    ...liveRoutes(createLive({ db, clock, log, recheck, stopping })),
    ...seriesRoutes({ db, clock }),
    ...deliveryLogRoutes(createDeliveryLog({ db })),
    ...explainRoutes(createExplain({ db, clock, findLogins, retentionDays })),
    ...explainPeriodRoutes(createExplainPeriod({ db, clock, findLogins, retentionDays })),
    ...filterTestRoutes(createFilterTest({ db })),
    ...reconciliationRoutes(createReconciliations({ db, clock, retentionDays })),
    ...retryRoutes(createRetries({ db, clock, audit, onDue: wakeSchedule(platform) })),
    ...replayRoutes({ replays: createReplays(replays), clock }),
    ...recoveryRoutes({ recoveries: createRecoveries(replays), clock }),
    ...redactRoutes(createRedactEvent({ db, clock, audit, deleteFromInboxes })),
    ...pullRoutes(createPull({ db, clock, log, recheck, stopping })),
    ...testSendRoutes(composeTestSends(platform, features)),
    ...alertRoutes(composeAlerts(platform, features)),
    ...createWebhookRoutes(webhooks),
  ];
}

/** The dependencies of replays, in the web process and in the process that runs their steps. */
function replayDeps(platform: Platform, { db, clock, tasks, audit }: Features) {
  return {
    ...{ db, clock, tasks, audit },
    onDue: wakeSchedule(platform),
    retentionDays: platform.config.delivery.retentionDays,
  };
}

function wakeSchedule({ notifier }: Platform) {
  return (): void => notifier.wake("schedule");
}

/** A person waits for the result of a test. */
const longestTestMs = 15_000;

function composeTestSends(platform: Platform, { audit }: Features) {
  const { db, box, clock, ids, log, guard, config, lifecycle } = platform;
  const timeoutMs = Math.min(config.delivery.timeoutMs, longestTestMs);
  const client = createTestSender({ db, box, clock, guard, timeoutMs });
  lifecycle.onStop("test sends", async () => client.close());
  return createTestSends({ ...{ db, clock, ids, log, audit }, sendTest: client.send });
}

function composeAlerts(platform: Platform, { db, clock, audit, messaging }: Features): Alerts {
  return createAlerts({
    ...{ db, clock, audit, findActiveUsers, findCompany: findEnterpriseProfile },
    links: createEmailLinks(platform),
    queueMail: (trx, mail) => messaging.queueMail(trx, mail),
  });
}
