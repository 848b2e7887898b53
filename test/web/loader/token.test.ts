import { expect } from "chai";
import { findTokenFault } from "../../../web/loader/token.ts";

describe("the loader's check of a token", () => {
  /** The result of the check if the platform responds with these statuses; 0 is no response. */
  const check = async (statuses: number[], mostWaits = 10) => {
    const waits: number[] = [];
    const reasons: string[] = [];
    const asked = {
      root: "https://video.example.com",
      origin: "https://crm.example",
      ask: async () => {
        const status = statuses.shift() ?? 200;
        if (status === 0) {
          throw new TypeError("Failed to fetch");
        }
        return { ok: status === 200, status };
      },
      onWait: (reason: string) => reasons.push(reason) <= mostWaits,
    };
    const fault = await findTokenFault(asked, async (ms) => void waits.push(ms));
    return { fault, waits, reasons };
  };

  it("accepts a valid token, and says why an invalid one is rejected", async () => {
    expect(await check([200])).to.deep.equal({ fault: undefined, waits: [], reasons: [] });
    const { fault, waits } = await check([401]);
    expect(fault).to.match(/^the token is invalid/u);
    expect(waits).to.deep.equal([]);
  });

  it("is retried with backoff while no answer is available", async () => {
    const { fault, waits, reasons } = await check([429, 503, 0, 502, 500, 200]);
    expect(fault).to.equal(undefined);
    expect(waits).to.deep.equal([5_000, 10_000, 20_000, 40_000, 60_000]);
    expect(reasons[0]).to.include("(429)");
    expect(reasons[2]).to.include(
      "https://crm.example is not an allowed domain of this enterprise",
    );
  });

  it("stops when the page no longer needs it", async () => {
    const { waits } = await check([0, 0, 0, 0, 0], 2);
    expect(waits).to.have.length(2);
  });
});
