import { expect } from "chai";
import { fill } from "../../../web/shared/words.ts";
import { chooseLanguage } from "../../../web/shared/customer-language.ts";
import { textsOf } from "../../../web/information/texts.ts";

function placesIn(text: string): string[] {
  return (text.match(/\{\w+\}/gu) ?? []).toSorted();
}

describe("texts of the information page", () => {
  for (const [language, texts] of Object.entries(textsOf)) {
    it(`are complete in ${language}, with the same placeholders`, () => {
      expect(Object.keys(texts)).to.have.members(Object.keys(textsOf.en));
      for (const [key, text] of Object.entries(texts)) {
        expect(text.trim(), key).to.not.equal("");
        expect(placesIn(text), key).to.deep.equal(
          placesIn(textsOf.en[key as keyof typeof textsOf.en]),
        );
      }
    });
  }

  it("use the first supported language", () => {
    expect(chooseLanguage(["ja", "pt-BR", "fr"])).to.equal("pt");
    expect(chooseLanguage([null, undefined, "", "FR-fr"])).to.equal("fr");
    expect(chooseLanguage([])).to.equal("en");
  });

  it("insert values unescaped", () => {
    expect(fill("{who} and {what}", { who: "$& {what}" })).to.equal("$& {what} and {what}");
  });
});
