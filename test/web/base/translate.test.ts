import { expect } from "chai";
import { translate, type Values } from "../../../web/base/translate.ts";

const texts = {
  action: { save: "Save" },
  greeting: "{{name}} calls {{other}}",
  left_zero: "Nobody is left",
  left_one: "{{count}} call",
  left_other: "{{count}} calls",
  seen_one: "{{count}} vue",
  seen_many: "{{count}} de vues",
  seen_other: "{{count}} vues",
  too_many: "{{max}} at most, not {{count}}",
};

function say(key: string, values?: Values, language = "en"): string | undefined {
  return translate({ texts, language }, key, values);
}

describe("a translation", () => {
  it("is found at any depth, and undefined for unknown keys", () => {
    expect(say("action.save")).to.equal("Save");
    for (const key of [
      "action",
      "action.keep",
      "action.save.now",
      "toString",
      "action.constructor",
    ]) {
      expect(say(key), key).to.equal(undefined);
    }
  });

  it("inserts values unescaped, each one once", () => {
    expect(say("greeting", { name: "<b>{{other}}</b>", other: "$&" })).to.equal(
      "<b>{{other}}</b> calls $&",
    );
    expect(say("greeting", { name: "Ann" })).to.equal("Ann calls {{other}}");
  });

  it("uses the plural forms of its language, and a separate form for zero", () => {
    expect([0, 1, 2].map((count) => say("left", { count }))).to.deep.equal([
      ...["Nobody is left", "1 call", "2 calls"],
    ]);
    expect([0, 1, 2, 1_000_000].map((count) => say("seen", { count }, "fr"))).to.deep.equal([
      ...["0 vue", "1 vue", "2 vues", "1000000 de vues"],
    ]);
    expect(say("seen", { count: 0 }, "en")).to.equal("0 vues");
  });

  it("supports plural forms for several numbers", () => {
    const of = (language: string, photos: number, videos: number) =>
      translate(
        {
          texts: { note: "{{photos}} {{photos|photo|photos}}, {{videos}} {{videos|film|films}}" },
          language,
        },
        "note",
        { photos, videos },
      );
    expect(of("fr", 0, 2)).to.equal("0 photo, 2 films");
    expect(of("en", 0, 1)).to.equal("0 photos, 1 film");
  });

  it("inserts a number without plural forms", () => {
    expect(say("too_many", { max: 3, count: 5 })).to.equal("3 at most, not 5");
  });
});
