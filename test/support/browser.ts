/**
 * A real Chromium and a real platform for the tests of pages. Whatever goes wrong inside a page
 * fails the test that showed it: an error on the console, a refusal by the Content-Security-Policy,
 * a request that leaves our origin.
 */
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Browser, BrowserContext, BrowserContextOptions, Frame, Page } from "playwright-core";
import { launchChromium } from "../../bench/support/chromium.ts";
import { eventually } from "./eventually.ts";
import { keepOpen } from "./leaks.ts";
import { isNight } from "./night.ts";
import { insideDescribe } from "./scope.ts";

const screenshotDir = ".test/screenshots";

export const desktop = { width: 1280, height: 800 };
export const phone = { width: 390, height: 844 };

const flags = [
  ...["--disable-quic", "--no-first-run", "--disable-sync"],
  ...["--disable-component-update", "--disable-extensions"],
  // Cookies of other sites' frames are what these tests are about; localhost has no certificate.
  ...["--use-fake-ui-for-media-stream"],
  // At the pace of a busy machine. Of the three cameras, WebRTC cannot send the second (Y16).
  "--use-fake-device-for-media-stream=device-count=3,fps=10",
];

/** What the pages of a browser may not do, and those that they open. Each line is a fault. */
export function watch(context: BrowserContext, faults: string[], options: OpenOptions): void {
  const isExpected = (text: string): boolean =>
    (options.expectedErrors ?? []).some((pattern) => pattern.test(text));
  const checkAddress = (address: string): void => {
    const url = new URL(address);
    const isOurs =
      ["data:", "blob:", "about:"].includes(url.protocol) ||
      ["localhost", "127.0.0.1", ...(options.hosts ?? [])].includes(url.hostname);
    if (!isOurs) {
      faults.push(`left our origin: ${address}`);
    }
  };
  context.on("weberror", (seenFaults) => {
    faults.push(`error in the page: ${seenFaults.error().message}`);
  });
  context.on("console", (message) => {
    // The page itself shows a refused call; the browser's log entry about it is no fault.
    const isRefusal = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isRefusal && !isExpected(message.text())) {
      faults.push(`console: ${message.text()}`);
    }
  });
  context.on("request", (request) => checkAddress(request.url()));
  context.on("page", (page) => {
    page.on("websocket", (socket) => checkAddress(socket.url()));
  });
  // Requests of a service worker are not reported here, and no page of ours has one.
  context.on("serviceworker", (worker) => {
    faults.push(`started a service worker: ${worker.url()}`);
  });
}

export type OpenOptions = Readonly<{
  viewport?: { width: number; height: number };
  language?: "en" | "fr";
  colors?: "light" | "dark";
  /** Console errors that this test is about. */
  expectedErrors?: readonly RegExp[];
  /** Other hosts of this machine that the test serves pages from. */
  hosts?: readonly string[];
  context?: BrowserContextOptions;
}>;

export type TestBrowser = {
  /** A page in a new browser context, without cookies and storage. */
  open(options?: OpenOptions): Promise<Page>;
  /** Another page of the same browser context. */
  openBeside(page: Page): Promise<Page>;
};

let chromium: Browser | undefined;

/**
 * The Chromium of this worker, which ends with it: a start costs seconds, and what a test sees is
 * isolated by its context.
 */
async function sharedChromium(): Promise<Browser> {
  if (chromium?.isConnected() !== true) {
    chromium = await keepOpen(
      () => launchChromium(flags),
      (one) => one.close(),
    );
  }
  return chromium;
}

/** Browser contexts for the tests of the surrounding `describe`. */
export function useBrowser(): TestBrowser {
  let browser: Browser | undefined;
  let contexts: BrowserContext[] = [];
  let faults: string[] = [];

  before(async function () {
    insideDescribe(this, "useBrowser");
    this.timeout(60_000);
    browser = await sharedChromium();
  });

  afterEach(async () => {
    const [open, error] = [contexts, faults];
    contexts = [];
    faults = [];
    await Promise.all(open.map((context) => context.close()));
    if (error.length > 0) {
      throw new Error(`The page did what it may not:\n${[...new Set(error)].join("\n")}`);
    }
  });

  return {
    open: async (options = {}) => {
      if (browser === undefined) {
        throw new Error("The browser starts in a before hook");
      }
      const context = await browser.newContext({
        viewport: options.viewport ?? desktop,
        locale: options.language === "fr" ? "fr-FR" : "en-GB",
        timezoneId: "Europe/Paris",
        colorScheme: options.colors ?? "light",
        // What still moves on a busy machine is no longer where a click was aimed at.
        reducedMotion: "reduce",
        ...options.context,
      });
      context.setDefaultTimeout(30_000);
      contexts.push(context);
      watch(context, faults, options);
      return context.newPage();
    },
    openBeside: async (page) => page.context().newPage(),
  };
}

/** All finite animations have ended. */
async function settle(page: Page | Frame): Promise<void> {
  await page.evaluate(`(async () => {
    const moving = document
      .getAnimations()
      .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.all(moving.map((one) => one.finished.catch(() => {})));
  })()`);
}

/** Pictures are for people and cost a second each: made at night, and where they are asked for. */
const arePicturesKept = isNight || process.env["SCREENSHOTS"] === "1";

/** Saves a screenshot in an ignored folder, with SCREENSHOTS=1 only. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (!arePicturesKept) {
    return;
  }
  await mkdir(screenshotDir, { recursive: true });
  await settle(page);
  await page.screenshot({ path: `${screenshotDir}/${name}.png`, fullPage: true });
}

/** Whether the page overflows horizontally. */
function overflows(page: Page): Promise<boolean> {
  return page.evaluate("document.documentElement.scrollWidth > window.innerWidth + 1");
}

/** Throws where the page scrolls sideways, once it had time to draw what is otherwise on a phone. */
export function seeFits(page: Page, what = "the page"): Promise<void> {
  return eventually(async () => {
    if (await overflows(page)) {
      throw new Error(`It scrolls sideways: ${what}`);
    }
  });
}

/** Tables of which a part is out of sight, by their names; but for those that are sheets. */
function overflowingTables(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll(':is([role="region"], [role="group"]):not([data-scrolls]):has(> table)')]
    .filter((frame) => frame.scrollWidth > frame.clientWidth + 1)
    .map((frame) => frame.getAttribute("aria-label"))`);
}

/** What a page draws otherwise on a phone, it draws a moment after its window got narrow. */
function expectNoOverflow(page: Page, what: string): Promise<void> {
  return eventually(async () => {
    const overflowing = (await overflowingTables(page)).map(
      (table) => `the table ${table} of ${what}`,
    );
    if (await overflows(page)) {
      overflowing.push(what);
    }
    if (overflowing.length > 0) {
      throw new Error(`Something is cut: ${overflowing.join(", ")}`);
    }
  });
}

/** The same page at desktop and phone size, where nothing may be cut. */
export async function screenshots(page: Page, name: string): Promise<void> {
  for (const [size, viewport] of Object.entries({ desktop, phone })) {
    await page.setViewportSize(viewport);
    await page.evaluate("window.scrollTo(0, 0)");
    await screenshot(page, `${name}-${size}`);
    await expectNoOverflow(page, `${name} at ${size} size`);
  }
  await page.setViewportSize(desktop);
}

type AxeResult = {
  violations: {
    id: string;
    impact: string;
    help: string;
    nodes: { html: string; failureSummary: string }[];
  }[];
};

let axeSource: Promise<string> | undefined;

const landmarkRules = [
  ...["landmark-unique", "landmark-no-duplicate-banner", "landmark-one-main", "region"],
  ...["landmark-banner-is-top-level", "landmark-complementary-is-top-level"],
];

/** Open tooltips, which are read with their target, wherever they are in the document. */
const tooltipTexts = `[...document.querySelectorAll('[role="tooltip"][id]')].filter(({ id }) =>
  document.querySelector('[aria-describedby~="' + id + '"]') !== null)`;

/** Problems for users who navigate by landmarks. */
export async function findLandmarkFaults(page: Page): Promise<string[]> {
  axeSource ??= readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  await page.evaluate(await axeSource);
  const { violations } = await page.evaluate<AxeResult>(
    `axe.run({ include: [document], exclude: ${tooltipTexts} }, { runOnly: ${JSON.stringify(landmarkRules)} })`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${id}: ${html.slice(0, 300)}`),
  );
}

/** Accessibility barriers: serious and critical findings of axe. */
export async function findBarriers(page: Page | Frame): Promise<string[]> {
  axeSource ??= readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  await page.evaluate(await axeSource);
  await settle(page); // colours half-way through a transition are nobody's
  const { violations } = await page.evaluate<AxeResult>(
    'axe.run(document, { resultTypes: ["violations"] })',
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ html, failureSummary }) =>
          `${id}: ${help}\n  ${html.slice(0, 300)}\n  ${failureSummary}`,
      ),
    );
}
