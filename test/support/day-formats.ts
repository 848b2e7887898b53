/** Formats of dates that differ between versions of ICU, and so between browsers. */

/**
 * Runs `work` with whole dates written as in Canada with ICU 72 (Node of Debian 12, Safari 16):
 * `11/20/2026`, where others write `2026-11-20`. Their parts are the same everywhere.
 */
export function withOtherDayFormat<T>(work: () => T): T {
  const { prototype } = Intl.DateTimeFormat;
  const before = Object.getOwnPropertyDescriptor(prototype, "format");
  Object.defineProperty(prototype, "format", {
    configurable: true,
    get: () => () => "11/20/2026",
  });
  try {
    return work();
  } finally {
    Object.defineProperty(prototype, "format", before ?? {});
  }
}
