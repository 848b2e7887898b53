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
});
