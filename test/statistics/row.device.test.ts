import { expect } from "chai";
import { parseDevice } from "../../src/statistics/row.ts";

const mozilla = "Mozilla/5.0";
const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";

describe("parseDevice", () => {
  const devices: Record<string, [string, string, string, string]> = {
    "an Android phone that reports its model": [
      `${mozilla} (Linux; Android 14; Pixel 8) ${webkit} Chrome/119.0.0.0 Mobile Safari/537.36`,
      "Smartphone Pixel 8",
      "Android 14",
      "Chrome 119",
    ],
    "an Android phone that hides its model": [
      `${mozilla} (Linux; Android 10; K) ${webkit} Chrome/119.0.0.0 Mobile Safari/537.36`,
      "Smartphone",
      "Android 10",
      "Chrome 119",
    ],
    "a web view with a build": [
      `${mozilla} (Linux; Android 13; SM-G991B Build/TP1A; wv) ${webkit} Version/4.0 Chrome/119.0.0.0 Mobile Safari/537.36`,
      "Smartphone SM-G991B",
      "Android 13",
      "Chrome 119",
    ],
    "an iPad": [
      `${mozilla} (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1`,
      "Tablette iPad",
      "iOS 16.6",
      "Safari 16",
    ],
    "a Windows machine": [
      `${mozilla} (Windows NT 10.0; Win64; x64) ${webkit} Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0`,
      "Ordinateur",
      "Windows 10",
      "Microsoft Edge 130",
    ],
    "a Linux machine": [
      `${mozilla} (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0`,
      "Ordinateur",
      "Linux",
      "Firefox 120",
    ],
    "an unknown User-Agent": ["x", "", "", ""],
  };
  for (const [title, [userAgent, device, system, browser]] of Object.entries(devices)) {
    it(`recognizes ${title}`, () => {
      expect(parseDevice(userAgent)).to.deep.equal({ device, system, browser });
    });
  }

  it("returns empty values without a User-Agent", () => {
    expect(parseDevice(null)).to.deep.equal({ device: "", system: "", browser: "" });
  });
});
