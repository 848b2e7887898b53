import { expect } from "chai";
import { eventReader } from "../../../../../web/console/deliveries/live/sse.ts";

describe("reading server-sent events", () => {
  const text =
    "retry: 2000\n\n" +
    'id: 1\nevent: snapshot\ndata: {"a":1}\n\n' +
    ": still here\n\n" +
    'id: 2\nevent: beat\ndata: {"b":2}\n\n';
  const events = [
    { event: "snapshot", data: '{"a":1}' },
    { event: "beat", data: '{"b":2}' },
  ];

  it("gives the same events however the text is cut into pieces", () => {
    for (let size = 1; size <= text.length; size += 1) {
      const read = eventReader();
      const found = [];
      for (let from = 0; from < text.length; from += size) {
        found.push(...read(text.slice(from, from + size)));
      }
      expect(found, `pieces of ${size}`).to.deep.equal(events);
    }
  });

  it("keeps back what is not whole yet", () => {
    const read = eventReader();
    expect(read("event: beat\ndata: {}\n")).to.deep.equal([]);
    expect(read("\n")).to.deep.equal([{ event: "beat", data: "{}" }]);
  });
});
