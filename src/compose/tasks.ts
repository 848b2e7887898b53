/** Composition of background work: task handlers and schedule passes of the features. */
import { tmpdir } from "node:os";
import { deleteExpiredSessions } from "../accounts/sessions/store.ts";
import { createAnonymization } from "../accounts/users/anonymize.ts";
import { deleteOldClients } from "../accounts/sign-in/throttling.ts";
import { composeAlertPass } from "./roles.ts";
import { composeFeatures } from "./features.ts";
import { runInBackground, type Platform } from "./platform.ts";
import { composeReplayTasks } from "./webhooks.ts";
import { createConferenceTasks } from "../conferences/lifecycle.ts";
import type { Pass } from "../pipeline/schedule/schedule.ts";
import { removeLeftovers } from "../platform/blobs/blobs.ts";
import type { TaskHandlers } from "../platform/tasks/task.ts";
import { sleep } from "../platform/concurrency/async.ts";
import { cleanAdmissions } from "../rooms/admissions.ts";
import { purgeDeletedTickets } from "../tickets/purge.ts";
import { createTicketTimers, planExpiry } from "../tickets/timers.ts";

/** Handlers of all kinds of tasks, for the processes of the task queues. */
export function composeTaskHandlers(platform: Platform): TaskHandlers {
  const features = composeFeatures(platform);
  return {
    ...createTicketTimers(features.ticketDeps),
    ...createConferenceTasks(features.conferenceDeps),
    ...createAnonymization(features),
    ...features.rooms.taskHandlers,
    ...features.messaging.taskHandlers,
    ...features.media.tasks,
    ...composeReplayTasks(platform, features),
  };
}

/** The schedule passes of the features. Each pass is one bounded step. */
export function composePasses(platform: Platform): Pass[] {
  const { db, clock, ticketDeps, rooms, media, hl7, hashPhone } = composeFeatures(platform);
  const purgeDeps = { db, clock, hashPhone };
  const { cleanup } = media;
  const minute = 60_000;
  return [
    { name: "ageing-tickets", everyMs: 5_000, run: () => planExpiry(ticketDeps) },
    { name: "silent-rooms", everyMs: 5_000, run: () => rooms.sweep() },
    { name: "stuck-uploads", everyMs: minute, run: () => cleanup.endStuckUploads() },
    { name: "old-media", everyMs: minute, run: () => cleanup.deleteExpired() },
    { name: "media-files", everyMs: minute, run: () => cleanup.removeFiles() },
    { name: "recording-chunks", everyMs: minute, run: () => cleanup.removeChunks() },
    { name: "forgotten-media", everyMs: 5 * minute, run: () => cleanup.purge() },
    { name: "deleted-tickets", everyMs: 5 * minute, run: () => purgeDeletedTickets(purgeDeps) },
    { name: "old-admissions", everyMs: minute, run: () => cleanAdmissions(db, clock.now()) },
    { name: "ended-sessions", everyMs: 5 * minute, run: () => deleteExpiredSessions(db) },
    { name: "old-known-clients", everyMs: 60 * minute, run: () => deleteOldClients(db) },
    { name: "old-hl7-messages", everyMs: 5 * minute, run: () => hl7.clean() },
    composeAlertPass(platform),
  ];
}

const cleanupEveryMs = 3_600_000;

/**
 * Removes temporary files that killed processes left on this machine. Runs in every process that
 * handles files.
 */
export function startLeftoverCleanup({ config, lifecycle, log }: Platform): void {
  const { blobs } = config;
  const blobDir = blobs.store === "disk" ? blobs.dir : undefined;
  runInBackground("leftovers", lifecycle, async (signal) => {
    while (!signal.aborted) {
      const files = await removeLeftovers({ blobDir, temporaryDir: tmpdir() }, new Date());
      if (files > 0) {
        log.info({ files }, "leftovers.removed");
      }
      await sleep(cleanupEveryMs, signal);
    }
  });
}
