import { expect } from "chai";
import { maskHeaders } from "../../src/inbox/received-request.ts";

describe("headers that an inbox keeps", () => {
  it("are all named; values stay where the sender's software wrote them", () => {
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

  it("lose every other value: it may be a key", () => {
    for (const name of ["Authorization", "X-Key", "Cookie", "Accept-Key", "Host-Key", "webhook-"]) {
      expect(maskHeaders([[name, "secret"]]), name).to.deep.equal([[name, "••••"]]);
    }
  });
});
