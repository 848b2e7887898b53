/**
 * The numbers of Postgres advisory locks, in one place: two uses of one number would wait for each
 * other. Any numbers do, as long as every process has the same.
 */
export const advisoryLocks = {
  migration: 7_233_001,
  relay: 7_233_002,
  firstStart: 7_233_003,
  dataDir: 7_233_004,
} as const;
