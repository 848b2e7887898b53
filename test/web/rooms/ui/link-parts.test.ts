import { expect } from "chai";
import { linkParts } from "../../../../web/rooms/ui/link-parts.ts";

const linksOf = (text: string): string[] =>
  linkParts(text)
    .filter(({ isLink }) => isLink)
    .map(({ part }) => part);

describe("web addresses in a message", () => {
  it("become links without the punctuation after them", () => {
    expect(linkParts("See (https://shop.example/a?b=1&c=ü), please.")).to.deep.equal([
      { part: "See (", isLink: false },
      { part: "https://shop.example/a?b=1&c=ü", isLink: true },
      { part: "), please.", isLink: false },
    ]);
    expect(linksOf("http://a.example\nHTTPS://b.example/x.")).to.deep.equal([
      "http://a.example",
      "HTTPS://b.example/x",
    ]);
  });

  it("have the scheme http or https", () => {
    expect(linksOf("javascript:alert(1) data:text/html,x ftp://a.example")).to.deep.equal([]);
    expect(linksOf("https:// http")).to.deep.equal([]);
  });

  it("keep the whole text", () => {
    const text = '<b>https://a.example/"onclick=x</b> \u{1f600} https://b.example';
    expect(
      linkParts(text)
        .map(({ part }) => part)
        .join(""),
    ).to.equal(text);
  });
});
