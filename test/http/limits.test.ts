import { expect } from "chai";
import { createLimits } from "../../src/http/limits.ts";
import { memoryRateStores } from "../support/api.ts";

describe("limits", () => {
  it("limits each kind of call separately", async () => {
    const rules = {
      apiPerMinute: 4,
      eventsPerMinute: 3,
      tokenPerLogin: 2,
      tokenPerIp: 1,
      guestPerIp: 6,
      smsPerMinute: 7,
    };
    const limits = createLimits(rules, memoryRateStores);
    const limit = async (name: keyof typeof limits) => (await limits[name].take("k")).limit;
    expect(await limit("api")).to.equal(4);
    expect(await limit("events")).to.equal(3);
    expect(await limit("tokenIp")).to.equal(1);
    expect(await limit("badLogin")).to.equal(5);
    expect(await limit("loginFailures")).to.equal(10);
    expect(await limit("guest")).to.equal(6);
    expect(await limit("sms")).to.equal(7);
    expect(await limit("badSocket")).to.equal(6);
    expect(await limit("tokenCheck")).to.equal(60);
    expect(await limit("room")).to.equal(600);
    expect(await limit("guestUpload")).to.equal(30);
    expect(await limit("callback")).to.equal(600);
    expect((await limits.badLogin.take("k")).resetSeconds).to.equal(900);
  });

  for (const [perMinute, limit, seconds] of [
    [1, 1, 60],
    [7, 1, 9],
    [10, 1, 6],
    [60, 1, 1],
    [1_000, 16, 1],
  ] as const) {
    it(`spreads ${perMinute} passwords per minute to ${limit} every ${seconds} s`, async () => {
      const rule = { apiPerMinute: 1, eventsPerMinute: 1, tokenPerIp: 1, guestPerIp: 1 };
      const rules = { ...rule, smsPerMinute: 1, tokenPerLogin: perMinute };
      const verdict = await createLimits(rules, memoryRateStores).loginPace.take("k");
      expect(verdict).to.include({ limit, resetSeconds: seconds });
    });
  }
});
