import { expect } from "chai";
import type { Shape } from "../../../src/contracts/room-messages.ts";
import { compactShape, type SingleChange } from "../../../web/rooms/board-shapes.ts";
import { SharedBoard } from "../../../web/rooms/shared-board.ts";

function pen(id: string, count = 2): Shape {
  const points = Array.from({ length: count }, (_, index) => ({ x: index / count, y: 0.5 }));
  return compactShape({ id, tool: "pen", color: "#e6003c", points });
}

const put = (id: string, count?: number): SingleChange => ({ op: "put", shape: pen(id, count) });

/** Two pages; changes of one arrive at the other unless the network is down. */
function aPair() {
  const [agent, customer] = [new SharedBoard(), new SharedBoard()];
  let isAway = false;
  const otherOf = (one: SharedBoard): SharedBoard => (one === agent ? customer : agent);
  const sendState = (from: SharedBoard, isReply: boolean): void => {
    const asked = from.state(isReply).map((change) => otherOf(from).receive(change));
    if (asked.includes(true)) {
      sendState(otherOf(from), true);
    }
  };
  return {
    ...{ agent, customer },
    change: (from: SharedBoard, ...changes: SingleChange[]): void =>
      changes.forEach((change) => {
        if (from.change(change) && !isAway) {
          otherOf(from).receive(change);
        }
      }),
    takeAway: (): void => {
      isAway = true;
    },
    bringBack: (to: SharedBoard): void => {
      isAway = false;
      sendState(to, false);
    },
  };
}

type Pair = ReturnType<typeof aPair>;

function opened(): Pair {
  const pair = aPair();
  pair.change(pair.agent, { op: "open", mediaId: 7, shapes: [pen("first")] }, put("a"), put("b"));
  pair.change(pair.customer, put("c"));
  return pair;
}

function seeEqual({ agent, customer }: Pair, ids: readonly string[]): void {
  expect(agent.view()?.shapes.map(({ id }) => id)).to.deep.equal(ids);
  expect(customer.view()).to.deep.equal(agent.view());
}

describe("a board shared by two pages", () => {
  for (const side of ["agent", "customer"] as const) {
    it(`is the same on both after the ${side} was disconnected, with changes on either side`, () => {
      const pair = opened();
      const { agent, customer } = pair;
      seeEqual(pair, ["first", "a", "b", "c"]);
      pair.takeAway();
      pair.change(agent, put("d"), { op: "remove", id: "a" }, put("b", 9));
      pair.change(customer, put("e"), put("c", 9), { op: "remove", id: "first" });
      pair.bringBack(pair[side]);
      seeEqual(pair, ["b", "c", "d", "e"]);
      expect(agent.view()?.shapes.map(({ points }) => points.length)).to.deep.equal([9, 9, 2, 2]);
      pair.change(customer, put("a"));
      seeEqual(pair, ["b", "c", "d", "e"]);
    });

    it(`shows the photo of its owner after the ${side} was disconnected, or none`, () => {
      const pair = opened();
      pair.takeAway();
      pair.change(pair.customer, put("lost"));
      pair.change(pair.agent, { op: "open", mediaId: 8, shapes: [] }, put("new"));
      pair.bringBack(pair[side]);
      seeEqual(pair, ["new"]);
      pair.takeAway();
      pair.change(pair.agent, { op: "close" });
      pair.bringBack(pair[side]);
      expect([pair.agent.view(), pair.customer.view()]).to.deep.equal([undefined, undefined]);
    });
  }

  it("keeps shapes drawn by one while the other removed all visible ones", () => {
    const pair = opened();
    pair.takeAway();
    pair.change(pair.customer, put("unseen"));
    pair.change(pair.agent, { op: "clear" });
    pair.bringBack(pair.agent);
    seeEqual(pair, ["unseen"]);
  });

  it("is sent to a participant who joins later, in several messages if it is large", () => {
    const pair = aPair();
    const ids = Array.from({ length: 40 }, (_, at) => `${at}`);
    pair.takeAway();
    pair.change(pair.agent, { op: "open", mediaId: 7, shapes: [] });
    ids.forEach((id) => pair.change(pair.agent, put(id, 200)));
    expect(pair.agent.state(true).length).to.be.above(1);
    pair.bringBack(pair.agent);
    seeEqual(pair, ids);
  });
});
