import { expect } from "chai";
import { createThread } from "../../../web/loader/thread.ts";
import { aBoxMessage as message } from "../../support/box-messages.ts";

describe("the messages of a message box", () => {
  it("are in order without duplicates, in whatever order they arrive", () => {
    const thread = createThread(7);
    thread.add([message(3), message(1)]);
    expect(thread.add([message(2), message(3)]).map(({ id }) => id)).to.deep.equal([2]);
    expect(thread.lines().map(({ id }) => id)).to.deep.equal([1, 2, 3]);
    expect(thread.oldest()).to.equal(1);
  });

  it("are final up to one minute before the newest", () => {
    const at = (id: number, created: string) => message(id, { created });
    const thread = createThread(7);
    expect(thread.settled()).to.equal(0);
    thread.add([at(20, "2026-11-22T10:00:30.000Z"), at(22, "2026-11-22T10:01:00.000Z")]);
    expect(thread.settled(), "all of them are asked for again").to.equal(19);
    thread.add([at(31, "2026-11-22T10:01:30.000Z")]);
    expect(thread.settled()).to.equal(20);
    thread.add([at(40, "2026-11-22T12:00:00.000Z")]);
    expect(thread.settled()).to.equal(31);
  });

  it("show pending messages at the end until they are stored", () => {
    const thread = createThread(7);
    thread.add([message(1)]);
    thread.begin({ clientId: "c", text: "mine", created: "2026-11-22T10:00:01.000Z" });
    expect(thread.lines().map(({ state }) => state)).to.deep.equal(["sent", "sending"]);
    thread.fail("c");
    expect(thread.pending()).to.deep.equal([]);
    expect(thread.lines()[1]?.state).to.equal("failed");
    thread.retry("c");
    expect(thread.pending().map(({ clientId }) => clientId)).to.deep.equal(["c"]);
    thread.add([message(2, { clientId: "c", userId: 7, author: "agent", text: "mine" })]);
    expect(thread.pending()).to.deep.equal([]);
    expect(thread.lines().map(({ text, isMine }) => [text, isMine])).to.deep.equal([
      ["text 1", false],
      ["mine", true],
    ]);
  });

  it("include events between older and newer messages", () => {
    const thread = createThread(7);
    const event = (text: string) => thread.addEvent({ text, created: "2026-11-22T10:00:01.000Z" });
    event("first of all");
    thread.add([message(2)]);
    event("Photo saved");
    event("The call ended");
    thread.add([message(3), message(1)]);
    thread.begin({ clientId: "c", text: "mine", created: "2026-11-22T10:00:02.000Z" });
    expect(thread.lines().map(({ text }) => text)).to.deep.equal([
      ...["first of all", "text 1", "text 2", "Photo saved", "The call ended", "text 3", "mine"],
    ]);
    const keys = thread.lines().map(({ key }) => key);
    expect(new Set(keys).size).to.equal(keys.length);
    expect(thread.oldest(), "no message").to.equal(1);
  });
});
