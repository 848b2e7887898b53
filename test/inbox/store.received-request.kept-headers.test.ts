import { expect } from "chai";
import { maskHeaders } from "../../src/inbox/store.ts";

describe("headers in an inbox", () => {
  it("keep all names, and the values that the sender generates", () => {
    const open = [
      ["Host", "127.0.0.1:3000"],
      ["User-Agent", "Sightline Cloud"],
      ["Content-Type", "application/JSON"],
      ["content-length", "2"],
      ["Accept", "*/*"],
      ["accept-encoding", "gzip"],
      ["connection", "keep-alive"],
      ["Date", "Fri, 20 Nov 2026 11:30:00 GMT"],
      ["webhook-id", "evt_1"],
      ["Webhook-Signature", "v1,AAAA"],
    ] as const;
    expect(maskHeaders(open)).to.deep.equal(open);
  });

  it("are masked otherwise, because they may be keys", () => {
    for (const name of ["Authorization", "X-Key", "Cookie", "Accept-Key", "Host-Key", "webhook-"]) {
      expect(maskHeaders([[name, "secret"]]), name).to.deep.equal([[name, "••••"]]);
    }
  });
});
