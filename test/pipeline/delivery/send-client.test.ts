import { EventEmitter } from "node:events";
import { expect } from "chai";
import type { HttpClient } from "../../../src/pipeline/delivery/exchange.ts";
import { createSendClient } from "../../../src/pipeline/delivery/send-client.ts";
import { createAddressGuard } from "../../../src/platform/net/address-guard.ts";
import { aRequest } from "../../support/send-clients.ts";

class FakeFlight extends EventEmitter {
  isDestroyed = false;
  destroy(): void {
    this.isDestroyed = true;
  }
}

const setUp = () => {
  const flights: FakeFlight[] = [];
  const fake: HttpClient<FakeFlight> = {
    start: () => {
      const flight = new FakeFlight();
      flights.push(flight);
      return flight;
    },
    progress: () => "waiting",
    phases: () => ({ firstByte: 3 }),
    isUnansweredReuse: () => false,
  };
  const guard = createAddressGuard({ areLocalReceiversAllowed: false, allowList: [] });
  const client = createSendClient({ guard, timeoutMs: 50 }, fake);
  return { flights, client };
};

const failWith = (code: string): Error => Object.assign(new Error(`${code} 10.1.2.3`), { code });

describe("the send client", () => {
  it("starts nothing for a URL that is not allowed", async () => {
    const { client, flights } = setUp();
    for (const url of ["http://receiver.test/", "https://127.0.0.1/", "nonsense"]) {
      const result = await client.send(aRequest(url));
      expect(result).to.deep.include({ kind: "failed", failure: "blocked_target", durationMs: 0 });
    }
    expect(flights).to.have.length(0);
  });

  it("rejects when this process is out of sockets: that is no answer of the receiver", async () => {
    const { client, flights } = setUp();
    const sending = client.send(aRequest("https://receiver.test/"));
    flights[0]?.emit("error", failWith("EMFILE"));
    const failure = await sending.catch((error: unknown) => error);
    expect(failure).to.have.property("code", "EMFILE");
  });

  it("ends at the deadline even where the client never says a word", async () => {
    const { client, flights } = setUp();
    const result = await client.send(aRequest("https://receiver.test/"));
    expect(result).to.deep.include({ kind: "failed", failure: "timeout_response" });
    expect(result.phases).to.deep.equal({ firstByte: 3, total: result.durationMs });
    expect(flights[0]?.isDestroyed).to.equal(true);
  });

  it("takes the first ending only, and never shows an address", async () => {
    const { client, flights } = setUp();
    const sending = client.send(aRequest("https://receiver.test/"));
    flights[0]?.emit("error", failWith("ECONNREFUSED"));
    flights[0]?.emit("error", failWith("ECONNRESET"));
    const result = await sending;
    expect(result).to.deep.include({ failure: "refused" });
    expect(JSON.stringify(result)).to.not.contain("10.1.2.3");
  });
});
