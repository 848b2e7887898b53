import { expect } from "chai";
import { parseMarkup } from "../../../web/components/mail-markup.ts";
import { promised } from "../../support/promised.ts";

describe("the markup of a mail", () => {
  it("comes without its styles, which are kept aside", () => {
    const html =
      '<head><style type="text/css">a { color: red }</style></head>' +
      '<p style="color: blue" title="a > b">x</p><STYLE>b {}</STYLE ><i>y</i>';
    expect(parseMarkup(html)).to.deep.equal({
      markup: '<head></head><p data-style="color: blue" title="a > b">x</p><i>y</i>',
      sheets: ["a { color: red }", "b {}"],
    });
  });

  it("ends with a style that is never closed, as browsers read it", () => {
    expect(parseMarkup("<p>x</p><style>a {} <p>y</p>")).to.deep.equal({
      markup: "<p>x</p>",
      sheets: ["a {} <p>y</p>"],
    });
  });

  for (const part of ["<a", "<a ", "<style", "<style>", '<a "', "<a '\"", "</style", " style "]) {
    it(`is read in one pass, also where it is made to be slow: ${part}`, () => {
      const startedMs = performance.now();
      parseMarkup(part.repeat(200_000));
      parseMarkup(`<style>${part.repeat(200_000)}`);
      expect(performance.now() - startedMs).to.be.below(promised(3_000));
    });
  }
});
