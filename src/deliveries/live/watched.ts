/** An enterprise that somebody watches, and what watching needs. */
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
  /** From one look to the next. */
  everyMs?: number;
};

/** Called after each look; `number` counts the looks since the first of those who watch came. */
export type OnSnapshot = (view: LiveView, beat: { at: Date; number: number }) => void;

export type WatchedEnterprise = {
  view: LiveView | undefined;
  watchers: Set<OnSnapshot>;
  countAtMs: number;
  isCounting: boolean;
  isCountFailing: boolean;
  /** Its first look is the one under way. */
  isNew: boolean;
  /** When it was told last, by the clock and by the process's time. */
  lastSent: { at: Date; atMs: number } | undefined;
};
