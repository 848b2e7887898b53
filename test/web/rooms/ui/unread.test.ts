import { expect } from "chai";
import { countUnread, newestId } from "../../../../web/rooms/ui/unread.ts";

describe("unread messages of a room", () => {
  const messages = [
    { id: 3, isOwn: false },
    { id: 4, isOwn: true },
    { id: 7, isOwn: false },
    { id: 0, isOwn: true },
  ];

  it("are those of others since the chat was last open", () => {
    expect(countUnread(messages, 0)).to.equal(2);
    expect(countUnread(messages, 3)).to.equal(1);
    expect(newestId(messages)).to.equal(7);
    expect(countUnread(messages, newestId(messages))).to.equal(0);
    expect(newestId([])).to.equal(0);
  });
});
