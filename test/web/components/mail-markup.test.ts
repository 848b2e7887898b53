import { expect } from "chai";
import { parseMarkup } from "../../../web/components/mail-markup.ts";
import { promised } from "../../support/promised.ts";

describe("the markup of an email", () => {
  it("is separated from its styles", () => {
    const html =
      '<head><style type="text/css">a { color: red }</style></head>' +
      '<p style="color: blue" title="a > b">x</p><STYLE>b {}</STYLE ><i>y</i>';
    expect(parseMarkup(html)).to.deep.equal({
      markup: '<head></head><p data-style="color: blue" title="a > b">x</p><i>y</i>',
      sheets: ["a { color: red }", "b {}"],
    });
  });

  it("ends at an unclosed style element, as in browsers", () => {
    expect(parseMarkup("<p>x</p><style>a {} <p>y</p>")).to.deep.equal({
      markup: "<p>x</p>",
      sheets: ["a {} <p>y</p>"],
    });
  });

  for (const part of ["<a", "<a ", "<style", "<style>", '<a "', "<a '\"", "</style", " style "]) {
    it(`is parsed in linear time, even for malicious input: ${part}`, () => {
      const startedMs = performance.now();
      parseMarkup(part.repeat(200_000));
      parseMarkup(`<style>${part.repeat(200_000)}`);
      expect(performance.now() - startedMs).to.be.below(promised(3_000));
    });
  }
});
