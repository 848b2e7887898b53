/** The kind of browser, which selects the help texts. Pure. */

export type BrowserHelp =
  | "chrome_android"
  | "samsung_android"
  | "firefox_android"
  | "safari_ios"
  | "app_ios"
  | "chrome_desktop"
  | "firefox_desktop"
  | "safari_desktop"
  | "other";

export type BrowserKind = Readonly<{
  system: "android" | "ios" | "desktop";
  help: BrowserHelp;
  /** A browser inside another app, such as Facebook or Gmail: most give pages no camera. */
  isInApp: boolean;
}>;

export type BrowserSigns = Readonly<{
  userAgent: string;
  /** An iPad reports itself as a Mac, and is recognized by its touch screen. */
  maxTouchPoints: number;
}>;

export function detectBrowser(signs: BrowserSigns): BrowserKind {
  const system = systemOf(signs);
  const isInApp = isInsideApp(signs.userAgent, system);
  return { system, isInApp, help: helpOf(signs.userAgent, system) };
}

function systemOf({ userAgent, maxTouchPoints }: BrowserSigns): BrowserKind["system"] {
  if (/android/iu.test(userAgent)) {
    return "android";
  }
  const isTablet = /Macintosh/u.test(userAgent) && maxTouchPoints > 1;
  return /iPhone|iPad|iPod/u.test(userAgent) || isTablet ? "ios" : "desktop";
}

/** Names that apps add to the user agent of their own browser. */
const appNames =
  /\bFBA[NV]\b|FB_IAB|FBIOS|Instagram|Messenger|\bGSA\/|\bLine\/|MicroMessenger|musical_ly|BytedanceWebview|TikTok|LinkedInApp|Snapchat|Pinterest|Twitter|WhatsApp|GMail/iu;

function isInsideApp(userAgent: string, system: BrowserKind["system"]): boolean {
  if (system === "desktop") {
    return false;
  }
  // A web view: Android marks it, and on iOS it lacks the name of the browser.
  const isWebView = system === "android" ? /; wv\)/u.test(userAgent) : !/Safari\//u.test(userAgent);
  return isWebView || appNames.test(userAgent);
}

function helpOf(userAgent: string, system: BrowserKind["system"]): BrowserHelp {
  switch (system) {
    case "android":
      return helpOnAndroid(userAgent);
    case "ios":
      return /CriOS|FxiOS|EdgiOS|OPT\/|GSA\//u.test(userAgent) ? "app_ios" : "safari_ios";
    case "desktop":
      return helpOnDesktop(userAgent);
  }
}

function helpOnAndroid(userAgent: string): BrowserHelp {
  if (/SamsungBrowser/u.test(userAgent)) {
    return "samsung_android";
  }
  if (/Firefox/u.test(userAgent)) {
    return "firefox_android";
  }
  return /Chrome\//u.test(userAgent) ? "chrome_android" : "other";
}

function helpOnDesktop(userAgent: string): BrowserHelp {
  if (/Firefox/u.test(userAgent)) {
    return "firefox_desktop";
  }
  if (/Chrome\//u.test(userAgent)) {
    return "chrome_desktop";
  }
  return /Safari\//u.test(userAgent) ? "safari_desktop" : "other";
}

/** Opens the same page in Chrome, from an app on Android. */
export function chromeIntentOf(address: string): string {
  const { protocol, host, pathname, search } = new URL(address);
  const scheme = protocol.replace(":", "");
  return `intent://${host}${pathname}${search}#Intent;scheme=${scheme};package=com.android.chrome;end`;
}
