// CommonJS, because mocha loads its reporters with require.
"use strict";

const { writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { relative } = require("node:path");
const { reporters, Runner } = require("mocha");

// Mocha gives its workers one second to end. Writing down what they covered takes some: killed
// before, they would say nothing, and what they tested would count as untested.
const workerpool = createRequire(require.resolve("mocha"))("workerpool");
const { pool } = workerpool;
workerpool.pool = (path, options) => pool(path, { ...options, workerTerminateTimeout: 60_000 });

/** The failures and their reasons, short enough to repeat at the end of the run. */
const describe = (test, error) =>
  `${test.titlePath().join(" › ")}: ${String(error?.message ?? error).slice(0, 500)}`;

const fileOf = ({ file }) => (file ? relative(process.cwd(), file) : "");

/**
 * Mocha's own `spec` on the screen, and what was counted in the file TEST_COUNTS_FILE names: in all,
 * and of each file with a failure. Failures outside of files have the key "".
 */
module.exports = class CountingReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const files = new Map();
    const countsOf = (test) => {
      const name = fileOf(test);
      files.set(name, files.get(name) ?? { passed: 0, failures: [] });
      return files.get(name);
    };
    runner.on(Runner.constants.EVENT_TEST_PASS, (test) => {
      countsOf(test).passed += 1;
    });
    runner.on(Runner.constants.EVENT_TEST_FAIL, (test, error) => {
      countsOf(test).failures.push(describe(test, error));
    });
    // A file that cannot be loaded ends the run too, and others may follow it.
    runner.on(Runner.constants.EVENT_RUN_END, () => {
      const file = process.env.TEST_COUNTS_FILE;
      if (file) {
        const { passes: passed } = this.stats;
        const failing = [...files].filter(([, { failures }]) => failures.length > 0);
        writeFileSync(file, JSON.stringify({ passed, failing: Object.fromEntries(failing) }));
      }
    });
  }
};
