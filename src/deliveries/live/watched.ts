/** An enterprise that clients watch, and what polling needs. */
import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/pool.ts";
import type { Logger } from "../../platform/logger.ts";
import type { LiveView } from "./view.ts";

export type LivePollerDeps = {
  db: Db;
  clock: Clock;
  log: Pick<Logger, "warn" | "info">;
  /** Fires when the process begins to stop. */
  stopping: AbortSignal;
  /** Between two polls. */
  everyMs?: number;
};

/** Called after each poll; `number` counts the polls since the first client came. */
export type OnSnapshot = (view: LiveView, update: { at: Date; number: number }) => void;

export type WatchedEnterprise = {
  view: LiveView | undefined;
  watchers: Set<OnSnapshot>;
  countAtMs: number;
  isCounting: boolean;
  isCountFailing: boolean;
  /** The poll under way is its first. */
  isNew: boolean;
  /** When its clients were last notified, by the clock and by the process's time. */
  lastSent: { at: Date; atMs: number } | undefined;
};
