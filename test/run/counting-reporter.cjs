// CommonJS, because mocha loads its reporters with require.
"use strict";

const { writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { reporters, Runner } = require("mocha");

// Mocha gives its workers one second to end. Writing down what they covered takes some: killed
// before, they would say nothing, and what they tested would count as untested.
const workerpool = createRequire(require.resolve("mocha"))("workerpool");
const { pool } = workerpool;
workerpool.pool = (path, options) => pool(path, { ...options, workerTerminateTimeout: 60_000 });

/** What failed and why, short enough to be told once more at the end of everything. */
const describe = (test, error) =>
  `${test.titlePath().join(" › ")}: ${String(error?.message ?? error).slice(0, 500)}`;

/** Mocha's own `spec` on the screen, and what was counted in the file TEST_COUNTS_FILE names. */
module.exports = class CountingReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const failures = [];
    runner.on(Runner.constants.EVENT_TEST_FAIL, (test, error) => {
      failures.push(describe(test, error));
    });
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const { passes } = this.stats;
      const file = process.env.TEST_COUNTS_FILE;
      if (file) {
        writeFileSync(file, JSON.stringify({ passed: passes, failed: failures.length, failures }));
      }
    });
  }
};
