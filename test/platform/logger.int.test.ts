import { expect } from "chai";
import { execFileSync } from "node:child_process";

describe("the log of a process", () => {
  it("contains neither secrets nor the text of a URL that cannot be parsed", () => {
    const code = `
      import { createLogger } from "./src/platform/logger.ts";
      const log = createLogger("info", "test");
      try {
        new URL("postgres://sightline:pass/word@db.example/sightline");
      } catch (err) {
        log.fatal({ err, token: "t0ken", call: { password: "h0rse" } }, "process.start_failed");
      }`;
    const options = { encoding: "utf8", timeout: 60_000 } as const;
    const args = ["--import", "tsx", "--input-type=module", "--eval", code];
    const line = execFileSync(process.execPath, args, options);
    expect(line).to.contain("ERR_INVALID_URL").and.contain("process.start_failed");
    expect(line).not.to.match(/pass\/word|t0ken|h0rse/u);
  });
});
