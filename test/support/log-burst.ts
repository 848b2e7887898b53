/** A process that writes to two loggers, and ends while a write may be under way. */
import { endProcess } from "../../src/platform/log-output.ts";
import { createLogger } from "../../src/platform/logger.ts";

const logs = [createLogger("info", "first"), createLogger("info", "second")];
for (let number = 0; number < 1_000; number += 1) {
  logs.forEach((log) => log.info({ number, padding: "x".repeat(200) }, "test.written"));
}
setImmediate(() =>
  setImmediate(() => {
    logs[0]?.info("test.ended");
    void endProcess(0);
  }),
);
