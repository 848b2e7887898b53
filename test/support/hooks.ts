/**
 * Root hooks of every mocha run: a file must close what it opens, and no request may leave this
 * machine.
 */
import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import type { RootHookObject, Runnable, Suite } from "mocha";
import { takeAnswerFaults } from "./described.ts";
import { endKept, expectNoLeaks, openResources, type Resources } from "./leaks.ts";
import { blame, takeOutboundAttempts, watchOutbound } from "./outbound.ts";

function expectNothingOutbound(): void {
  const attempts = takeOutboundAttempts();
  if (attempts.length > 0) {
    throw new Error(`Nothing may leave this machine: ${attempts.join("; ")}`);
  }
}

function expectDescribedAnswers(): void {
  const faults = [...new Set(takeAnswerFaults())];
  if (faults.length > 0) {
    throw new Error(`Answers that are not as the API is described:\n${faults.join("\n")}`);
  }
}

/**
 * Checks for leaks after the last `after` of a top-level `describe`: a failure there names the file
 * and the run continues, whereas a failing root hook would end it.
 */
function check(suite: Suite): void {
  let before: Resources = new Map();
  // Runs first, so that resources opened by the file's own hooks count as opened by the file.
  prependBeforeAll(suite, "count what is open", async function () {
    this.timeout(120_000);
    if (!(suite.file ?? "").endsWith(".browser.ts")) {
      await endKept();
    }
    before = await openResources();
  });
  suite.afterAll("connect to nothing outside", expectNothingOutbound);
  suite.afterAll("answer as the API is described", expectDescribedAnswers);
  suite.afterAll("leave nothing open", async function () {
    this.timeout(120_000);
    await expectNoLeaks(before);
  });
}

/**
 * Prepends a hook. Mocha runs hooks in the order of this list, and has no public method to prepend.
 */
function prependBeforeAll(
  suite: Suite,
  title: string,
  hook: (this: Mocha.Context) => unknown,
): void {
  suite.beforeAll(title, hook);
  const hooks = (suite as unknown as { _beforeAll: unknown[] })._beforeAll;
  hooks.unshift(hooks.pop());
}

/** Appends the duration of a top-level `describe` to the file that the runner reads. */
function recordDuration(suite: Suite): void {
  const file = process.env["TEST_DURATIONS_FILE"];
  if (file === undefined) {
    return;
  }
  let startedAt = 0;
  prependBeforeAll(suite, "start the clock", () => {
    startedAt = performance.now();
  });
  suite.afterAll("stop the clock", () => {
    const ms = Math.round(performance.now() - startedAt);
    const line = { file: relative(process.cwd(), suite.file ?? ""), ms };
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  });
}

/** Time-outs are for tests that hang; on a busy machine, other tests take longer, too. */
const timeoutFactor = 3;

type Hooks = Record<"_beforeAll" | "_beforeEach" | "_afterEach" | "_afterAll", Runnable[]>;

function stretchTimeouts(suite: Suite): void {
  const { _beforeAll, _beforeEach, _afterEach, _afterAll } = suite as unknown as Hooks;
  for (const one of [...suite.tests, ..._beforeAll, ..._beforeEach, ..._afterEach, ..._afterAll]) {
    one.timeout(timeoutFactor * one.timeout());
  }
  suite.suites.forEach(stretchTimeouts);
}

export const mochaHooks: RootHookObject = {
  beforeAll(this: Mocha.Context) {
    watchOutbound();
    this.test?.parent?.suites.forEach(stretchTimeouts);
    this.test?.parent?.suites.forEach(check);
    this.test?.parent?.suites.forEach(recordDuration);
  },
  beforeEach(this: Mocha.Context) {
    blame(this.currentTest?.fullTitle() ?? "a test");
  },
};
