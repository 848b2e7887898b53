import { expect } from "chai";
import { localeOf, usableLocale } from "../../../web/shared/locale.ts";

describe("the locale of a page", () => {
  it("is the reader's variant of the page's language", () => {
    expect(localeOf("en", ["fr-CA", "en-US", "en-GB"])).to.equal("en-US");
    expect(localeOf("fr", ["en-US", "fr-CA"])).to.equal("fr-CA");
  });

  it("is the default one if the reader's language differs or has no country", () => {
    expect(localeOf("en", ["fr-FR", "en"])).to.equal("en-GB");
    expect(localeOf("fr", ["en-US"])).to.equal("fr-FR");
  });

  it("is never an unsupported one", () => {
    expect(localeOf("en", ["en-US@posix"])).to.equal("en-GB");
    expect(localeOf("en", ["en-US@posix", "en-AU"])).to.equal("en-AU");
    expect(localeOf("fr", ["fr-"])).to.equal("fr-FR");
  });

  it("is found for tags that are no locale", () => {
    expect(usableLocale("C")).to.equal("en-GB");
  });

  describe("from the languages of the browser", () => {
    const names = ["document", "navigator"] as const;
    const own = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
    const define = (values: Readonly<Record<string, unknown>>): void => {
      for (const [name, value] of Object.entries(values)) {
        Object.defineProperty(globalThis, name, { value, configurable: true });
      }
    };
    const navigator = { languages: ["de-DE", "fr-CA", "en-US"] };

    afterEach(() => {
      for (const [index, name] of names.entries()) {
        const before = own[index];
        if (before === undefined) {
          Reflect.deleteProperty(globalThis, name);
        } else {
          Object.defineProperty(globalThis, name, before);
        }
      }
    });

    it("is the reader's variant in a page", () => {
      define({ document: {}, navigator });
      expect(["en", "fr"].map((language) => localeOf(language))).to.deep.equal(["en-US", "fr-CA"]);
    });

    it("is the default one in Node, whose `navigator` is of no reader", () => {
      define({ navigator });
      expect(["en", "fr"].map((language) => localeOf(language))).to.deep.equal(["en-GB", "fr-FR"]);
    });
  });
});
