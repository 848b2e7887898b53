import { expect } from "chai";
import { localOrigin } from "../../../src/platform/net/local-origin.ts";

describe("the local origin of a server", () => {
  for (const [host, port, origin] of [
    ["127.0.0.1", 3000, "http://127.0.0.1:3000"],
    ["localhost", 3000, "http://localhost:3000"],
    ["127.0.0.1", 80, "http://127.0.0.1"],
    ["::1", 3000, "http://[::1]:3000"],
    ["0:0:0:0:0:0:0:1", 80, "http://[::1]"],
    ["fd00::7", 3000, "http://[fd00::7]:3000"],
    ["fe80::7%eth0", 3000, "http://[fe80::7]:3000"],
    ["0.0.0.0", 3000, "http://127.0.0.1:3000"],
    ["::", 3000, "http://127.0.0.1:3000"],
    ["0:0::0", 80, "http://127.0.0.1"],
  ] as const) {
    it(`is ${origin} for ${host} and port ${port}`, () => {
      expect(localOrigin({ host, port })).to.equal(origin);
    });
  }
});
