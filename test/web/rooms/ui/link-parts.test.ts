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

  it("keep the parentheses that they open", () => {
    expect(
      linksOf("(https://a.example/wiki/Valve_(device)), https://a.example/(x)y"),
    ).to.deep.equal(["https://a.example/wiki/Valve_(device)", "https://a.example/(x)y"]);
    expect(linksOf("https://a.example/(x https://a.example/x)y")).to.deep.equal([
      "https://a.example/",
      "https://a.example/x",
    ]);
  });

  it("are found in linear time", () => {
    const text = `https://${"(".repeat(50_000)}${".".repeat(50_000)}`;
    expect(linksOf(text)).to.deep.equal([]);
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
