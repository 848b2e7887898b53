import { expect } from "chai";
import { calendarOf } from "../../src/messages/compose.ts";

describe("a calendar entry", () => {
  it("names the organizer, by the address if no character of the name is printable", () => {
    const organizerOf = (name: string): string | undefined => {
      const at = new Date("2026-11-20T10:00:00Z");
      const entry = calendarOf({
        ...{ uid: "conference-1@x.example", sequence: 0, isCancelled: false, at },
        ...{ title: "Review", description: "", link: "https://x.example/c/abc" },
        ...{ startTime: at, endTime: new Date("2026-11-20T11:00:00Z") },
        organizer: { name, email: "no-reply@x.example" },
        attendee: "ann@customer.example",
      });
      return /^ORGANIZER.*$/mu.exec(entry.replaceAll("\r\n ", ""))?.[0].trim();
    };
    const address = "mailto:no-reply@x.example";
    expect(organizerOf('Ada "A."')).to.equal(`ORGANIZER;CN="Ada  A.":${address}`);
    expect(organizerOf("\u00A0")).to.equal(`ORGANIZER;CN="no-reply@x.example":${address}`);
  });
});
