/** A process that writes a line to its log for each message, and answers the message. */
import { runUntilSignal } from "../../src/platform/lifecycle.ts";
import { createLogger } from "../../src/platform/logger.ts";

await runUntilSignal("test", async (lifecycle) => {
  const log = createLogger("info", "test");
  lifecycle.configure({ log, graceMs: 1_000 });
  process.on("message", (number) => {
    log.info({ number }, "test.asked");
    process.send?.({ answer: number });
  });
});
