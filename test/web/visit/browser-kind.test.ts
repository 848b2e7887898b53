import { expect } from "chai";
import {
  chromeIntentOf,
  detectBrowser,
  type BrowserHelp,
  type BrowserKind,
} from "../../../web/visit/browser-kind.ts";

const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";
const iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15";
const android = "Mozilla/5.0 (Linux; Android 14; Pixel 8";

const known: [name: string, userAgent: string, system: BrowserKind["system"], help: BrowserHelp][] =
  [
    [
      "Chrome",
      `${android}) ${webkit} Chrome/120.0 Mobile Safari/537.36`,
      "android",
      "chrome_android",
    ],
    [
      "Samsung Internet",
      `${android}) ${webkit} SamsungBrowser/23.0 Chrome/115.0 Mobile Safari/537.36`,
      "android",
      "samsung_android",
    ],
    [
      "Firefox",
      "Mozilla/5.0 (Android 14; Mobile; rv:121.0) Gecko/121.0 Firefox/121.0",
      "android",
      "firefox_android",
    ],
    [
      "Safari",
      `${iphone} (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1`,
      "ios",
      "safari_ios",
    ],
    [
      "Chrome",
      `${iphone} (KHTML, like Gecko) CriOS/120.0 Mobile/15E148 Safari/604.1`,
      "ios",
      "app_ios",
    ],
    [
      "Firefox",
      `${iphone} (KHTML, like Gecko) FxiOS/121.0 Mobile/15E148 Safari/605.1.15`,
      "ios",
      "app_ios",
    ],
    [
      "Edge",
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/120.0 Safari/537.36 Edg/120.0`,
      "desktop",
      "chrome_desktop",
    ],
    [
      "Firefox",
      "Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0",
      "desktop",
      "firefox_desktop",
    ],
    [
      "Safari",
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15",
      "desktop",
      "safari_desktop",
    ],
    ["something else", "Lynx/2.9", "desktop", "other"],
  ];

const inApps: [name: string, userAgent: string][] = [
  [
    "Facebook on Android",
    `${android}; wv) ${webkit} Version/4.0 Chrome/120.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/443.0;]`,
  ],
  ["Facebook on iOS", `${iphone} (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/443.0]`],
  ["Instagram on iOS", `${iphone} (KHTML, like Gecko) Mobile/15E148 Instagram 312.0`],
  [
    "a web view on Android",
    `${android}; wv) ${webkit} Version/4.0 Chrome/120.0 Mobile Safari/537.36`,
  ],
  ["a web view on iOS", `${iphone} (KHTML, like Gecko) Mobile/15E148`],
  [
    "the app of Google on iOS",
    `${iphone} (KHTML, like Gecko) GSA/300.0 Mobile/15E148 Safari/604.1`,
  ],
];

describe("the browser of a customer", () => {
  for (const [name, userAgent, system, help] of known) {
    it(`is detected: ${name}, ${system}`, () => {
      expect(detectBrowser({ userAgent, maxTouchPoints: 0 })).to.deep.equal({
        ...{ system, help, isInApp: false },
      });
    });
  }

  for (const [name, userAgent] of inApps) {
    it(`is detected inside an app: ${name}`, () => {
      expect(detectBrowser({ userAgent, maxTouchPoints: 5 }).isInApp).to.equal(true);
    });
  }

  it("is that of an iPad if a Mac has a touch screen", () => {
    const userAgent =
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15";
    expect(detectBrowser({ userAgent, maxTouchPoints: 5 })).to.include({
      system: "ios",
      help: "safari_ios",
    });
  });

  it("opens the same page in Chrome", () => {
    expect(chromeIntentOf("https://video.example/v/abc?x=1")).to.equal(
      "intent://video.example/v/abc?x=1#Intent;scheme=https;package=com.android.chrome;end",
    );
  });
});
