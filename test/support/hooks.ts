/** Root hooks of every mocha run: what a file opens it closes, and nothing leaves this machine. */
import type { RootHookObject, Suite } from "mocha";
import { takeAnswerFaults } from "./described.ts";
import { expectNoLeaks, openResources, type Resources } from "./leaks.ts";
import { blame, takeOutboundAttempts, watchOutbound } from "./outbound.ts";

const expectNothingOutbound = (): void => {
  const attempts = takeOutboundAttempts();
  if (attempts.length > 0) {
    throw new Error(`Nothing may leave this machine: ${attempts.join("; ")}`);
  }
};

const expectDescribedAnswers = (): void => {
  const faults = [...new Set(takeAnswerFaults())];
  if (faults.length > 0) {
    throw new Error(`Answers that are not as the API is described:\n${faults.join("\n")}`);
  }
};

/**
 * Checks after the last `after` of a top-level `describe`: a failure names the file and the run
 * goes on, where a failing root hook would end it.
 */
const check = (suite: Suite): void => {
  let before: Resources = new Map();
  suite.beforeAll("count what is open", async () => {
    before = await openResources();
  });
  // The counting comes first of all, or what a file's own hooks open would not look like its own.
  const hooks = (suite as unknown as { _beforeAll: unknown[] })._beforeAll;
  hooks.unshift(hooks.pop());
  suite.afterAll("connect to nothing outside", expectNothingOutbound);
  suite.afterAll("answer as the API is described", expectDescribedAnswers);
  suite.afterAll("leave nothing open", async function () {
    this.timeout(20_000);
    await expectNoLeaks(before);
  });
};

export const mochaHooks: RootHookObject = {
  beforeAll(this: Mocha.Context) {
    watchOutbound();
    this.test?.parent?.suites.forEach(check);
  },
  beforeEach(this: Mocha.Context) {
    blame(this.currentTest?.fullTitle() ?? "a test");
  },
};
