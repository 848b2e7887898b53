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

/** More than so many are no chance: something is wrong, with the product or with the machine. */
const mostSecondTries = 3;

/** Mocha's own `spec` on the screen, and what was counted in the file TEST_COUNTS_FILE names. */
module.exports = class CountingReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const failures = [];
    const firstTries = new Map();
    runner.on(Runner.constants.EVENT_TEST_RETRY, (test, error) => {
      firstTries.set(test.titlePath().join(" › "), describe(test, error));
    });
    runner.on(Runner.constants.EVENT_TEST_FAIL, (test, error) => {
      firstTries.delete(test.titlePath().join(" › "));
      failures.push(describe(test, error));
    });
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const secondTries = [...firstTries.values()];
      if (secondTries.length > mostSecondTries) {
        failures.push(`${secondTries.length} tests passed at their second try only`);
      }
      const { passes: passed } = this.stats;
      const file = process.env.TEST_COUNTS_FILE;
      if (file) {
        const failed = failures.length;
        writeFileSync(file, JSON.stringify({ passed, failed, failures, secondTries }));
      }
    });
  }
};
