// CommonJS, because mocha loads its reporters with require.
"use strict";

const { writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { relative } = require("node:path");
const { reporters, Runner } = require("mocha");

// Mocha terminates its workers after one second, but writing their coverage takes longer. A worker
// that is killed before would be missing in the report.
const workerpool = createRequire(require.resolve("mocha"))("workerpool");
const { pool } = workerpool;
workerpool.pool = (path, options) => pool(path, { ...options, workerTerminateTimeout: 60_000 });

/** The failures and their reasons, short enough to repeat at the end of the run. */
const describe = (test, error) =>
  `${test.titlePath().join(" › ")}: ${String(error?.message ?? error).slice(0, 500)}`;

const fileOf = ({ file }) => (file ? relative(process.cwd(), file) : "");

/**
 * Prints like mocha's `spec` reporter, and writes the counts to the file TEST_COUNTS_FILE: the
 * total of passed tests, and the failures by file. Failures outside of files have the key "".
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
    // Also emitted if a file cannot be loaded; later files may follow.
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
