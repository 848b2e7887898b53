import { expect } from "chai";
import { createDirectory } from "../../../web/loader/presence.ts";

const time = "2026-11-22T10:00:00.000Z";
const ann = { id: 1, nickname: "Ann" };
const bob = { id: 2, nickname: "Bob" };

describe("the directory of the agent module", () => {
  it("reports each arrival and departure once, with the full list", () => {
    const directory = createDirectory();
    expect(directory.replace([{ ...bob, state: "offline" }], time)).to.deep.equal([]);
    const came = directory.change({ time, state: "online", users: [bob] });
    expect(came).to.deep.equal({
      eventType: "presence",
      time,
      connectedUsersList: [bob],
      state: "online",
    });
    expect(directory.change({ time, state: "online", users: [bob] })).to.equal(undefined);
    const both = directory.change({ time, state: "online", users: [ann] });
    expect(both?.connectedUsersList).to.deep.equal([ann, bob]);
    const left = directory.change({ time, state: "offline", users: [ann] });
    expect(left).to.deep.include({ state: "offline", connectedUsersList: [bob] });
  });

  it("reports what changed while the connection was lost", () => {
    const directory = createDirectory();
    directory.replace(
      [
        { ...ann, state: "online" },
        { ...bob, state: "offline" },
      ],
      time,
    );
    const updates = directory.replace([{ ...bob, state: "online" }], time);
    expect(
      updates.map(({ state, connectedUsersList }) => [state, connectedUsersList]),
    ).to.deep.equal([
      ["online", [bob]],
      ["offline", [bob]],
    ]);
    expect(directory.users()).to.deep.equal([{ ...bob, state: "online" }]);
  });
});
