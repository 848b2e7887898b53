import { expect } from "chai";
import { agoIn, exactIn } from "../../../web/look/times.ts";

const at = new Date("2026-11-20T11:30:00Z");
const after = (seconds: number): Date => new Date(at.getTime() + seconds * 1000);

describe("times on the small pages", () => {
  it("are how long ago, never in the future", () => {
    const ago = agoIn("en");
    const told = (seconds: number): string => ago(at, after(seconds));
    expect(told(-5)).to.equal("just now");
    expect(told(1)).to.equal("just now");
    expect(told(5)).to.equal("5s ago");
    expect(told(59)).to.equal("59s ago");
    expect(told(60)).to.equal("1m ago");
    expect(told(3 * 3600 + 5)).to.equal("3h ago");
    expect(told(2 * 86_400)).to.equal("2d ago");
  });

  it("are words in French, too, and never `-5 s`", () => {
    const ago = agoIn("fr");
    expect(ago(at, at)).to.equal("à l’instant");
    expect(ago(at, after(5)).replaceAll(/\s/gu, " ")).to.equal("il y a 5 s");
    expect(ago(at, after(2 * 86_400)).replaceAll(/\s/gu, " ")).to.equal("il y a 2 j");
  });

  it("are exact to what is there: no milliseconds where there are none", () => {
    expect(exactIn("en")(at)).to.match(/20 Nov 2026, \d\d:30:00 /u);
    expect(exactIn("fr")(at)).to.match(/20 nov. 2026.*30:00 /u);
    expect(exactIn("fr")(new Date(at.getTime() + 7))).to.match(/30:00,007 /u);
  });
});
