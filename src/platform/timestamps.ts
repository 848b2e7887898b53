/** The timestamp form of every answer: ISO 8601 in UTC, `+00:00`, no fraction. */
export const toTimestamp = (date: Date): string => `${date.toISOString().slice(0, 19)}+00:00`;

/** The same for a nullable column. */
export const toTimestampOrNull = (date: Date | null): string | null =>
  date === null ? null : toTimestamp(date);

/** Seconds since the epoch, as the `time` of a webhook and `webhook-timestamp` carry it. */
export const toUnixSeconds = (date: Date): number => Math.floor(date.getTime() / 1000);
