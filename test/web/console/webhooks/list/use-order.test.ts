import { expect } from "chai";
import type { Webhook } from "../../../../../web/console/webhooks/types.ts";
import { inOrder } from "../../../../../web/console/webhooks/list/use-order.ts";

describe("the order of the webhook list", () => {
  it("stays stable; new webhooks are appended, oldest first", () => {
    const webhooks = [9, 1, 2, 3, 8].map((id) => ({ id }) as Webhook);
    expect(inOrder([3, 1, 2], webhooks).map(({ id }) => id)).to.deep.equal([3, 1, 2, 8, 9]);
    expect(inOrder([3, 7, 1], webhooks.slice(1, 4)).map(({ id }) => id)).to.deep.equal([3, 1, 2]);
  });
});
