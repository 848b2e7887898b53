import { expect } from "chai";
import fc from "fast-check";
import { messageHtml } from "../../../web/loader/message-html.ts";

function link(href: string, text: string) {
  return `<a href="${href}" target="_blank" rel="noopener noreferrer nofollow">${text}</a>`;
}

describe("a message as HTML", () => {
  it("is escaped, with line breaks and clickable links", () => {
    expect(messageHtml(`<b>"a" & 'b'</b>`)).to.equal(
      "&lt;b&gt;&quot;a&quot; &amp; &#39;b&#39;&lt;/b&gt;",
    );
    expect(messageHtml("one\ntwo\r\nthree")).to.equal("one<br>two<br>three");
    expect(messageHtml("see https://a.example/?x=1&y=2 now")).to.equal(
      `see ${link("https://a.example/?x=1&amp;y=2", "https://a.example/?x=1&amp;y=2")} now`,
    );
    expect(messageHtml("jane@example.com")).to.equal(
      link("mailto:jane@example.com", "jane@example.com"),
    );
  });

  it("never contains a link that runs a script", () => {
    for (const text of ["javascript:alert(1)", "data:text/html,x", "vbscript:x", "file:///etc"]) {
      expect(messageHtml(text), text).not.to.include("<a ");
    }
  });

  it("contains no tags but our own, for any input", () => {
    const parts = fc.constantFrom("<", ">", '"', "'", "&", "https://", "a.example", "/", "\n", "x");
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 30 }), (words) => {
        const html = messageHtml(words.join(""));
        const rest = html.replace(
          /<a href="[^"<>]*" target="_blank" rel="noopener noreferrer nofollow">|<\/a>|<br>/gu,
          "",
        );
        expect(rest).not.to.match(/[<>"']/u);
      }),
    );
  });
});
