import { expect } from "chai";
import { eventually } from "../../support/eventually.ts";
import { createThrottle } from "../../../web/rooms/throttle.ts";

describe("a throttle", () => {
  it("sends the first value at once, and then only the newest", async () => {
    const sent: number[] = [];
    const throttle = createThrottle<number>(20, (value) => sent.push(value));
    [1, 2, 3, 4].forEach(throttle.call);
    expect(sent).to.deep.equal([1]);
    await eventually(async () => expect(sent).to.deep.equal([1, 4]));
  });

  it("sends the pending value when it is flushed", () => {
    const sent: number[] = [];
    const throttle = createThrottle<number>(10_000, (value) => sent.push(value));
    [1, 2].forEach(throttle.call);
    throttle.flush();
    expect(sent).to.deep.equal([1, 2]);
  });
});
