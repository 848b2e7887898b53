import { expect } from "chai";
import { localeOf } from "../../../web/shared/locale.ts";

describe("locale of a page", () => {
  it("is the reader's own one of the page's language", () => {
    expect(localeOf("en", ["fr-CA", "en-US", "en-GB"])).to.equal("en-US");
    expect(localeOf("fr", ["en-US", "fr-CA"])).to.equal("fr-CA");
  });

  it("is the usual one where the reader speaks another language, or names no country", () => {
    expect(localeOf("en", ["fr-FR", "en"])).to.equal("en-GB");
    expect(localeOf("fr", ["en-US"])).to.equal("fr-FR");
  });

  it("is never one that cannot be written in", () => {
    expect(localeOf("en", ["en-US@posix"])).to.equal("en-GB");
    expect(localeOf("en", ["en-US@posix", "en-AU"])).to.equal("en-AU");
    expect(localeOf("fr", ["fr-"])).to.equal("fr-FR");
  });
});
