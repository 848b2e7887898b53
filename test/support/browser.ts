/**
 * A real Chromium and a real platform for browser tests. A fault inside a page fails the test: an
 * error on the console, a violation of the Content-Security-Policy, a request to another origin.
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

/**
 * Flags for three cameras, of which WebRTC cannot send the second (Y16). By default with their lowest
 * frame rate: most of the CPU time of a call is encoding, once for each receiver.
 */
export function fakeCameras(framesPerSecond = 5): string[] {
  return [
    "--use-fake-ui-for-media-stream",
    `--use-fake-device-for-media-stream=device-count=3,fps=${framesPerSecond}`,
  ];
}

const flags = [
  ...["--disable-quic", "--no-first-run", "--disable-sync"],
  ...["--disable-component-update", "--disable-extensions"],
];

/** Records faults of all pages of a browser context. */
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
    // The page itself shows the failed call, so the browser's log entry about it is no fault.
    const isRefusal = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isRefusal && !isExpected(message.text())) {
      faults.push(`console: ${message.text()}`);
    }
  });
  context.on("request", (request) => checkAddress(request.url()));
  context.on("page", (page) => {
    page.on("websocket", (socket) => checkAddress(socket.url()));
  });
  // Requests of service workers are not reported here, and the platform's pages have none.
  context.on("serviceworker", (worker) => {
    faults.push(`started a service worker: ${worker.url()}`);
  });
}

/** Throws if pages did what they may not. */
export function expectNoFaults(faults: readonly string[]): void {
  if (faults.length > 0) {
    throw new Error(`The page did what it may not:\n${[...new Set(faults)].join("\n")}`);
  }
}

export type OpenOptions = Readonly<{
  viewport?: { width: number; height: number };
  language?: "en" | "fr";
  colors?: "light" | "dark";
  /** Console errors that the test expects. */
  expectedErrors?: readonly RegExp[];
  /** Other hosts of this machine from which the test serves pages. */
  hosts?: readonly string[];
  context?: BrowserContextOptions;
}>;

export type TestBrowser = {
  /** A page in a new browser context, without cookies and storage. */
  open(options?: OpenOptions): Promise<Page>;
  /** Another page of the same browser context. */
  openBeside(page: Page): Promise<Page>;
};

const chromiums = new Map<number, Browser>();

/**
 * The Chromium of this worker, which is closed with it: a start takes seconds, and browser contexts
 * isolate the tests.
 */
async function sharedChromium(framesPerSecond: number): Promise<Browser> {
  const running = chromiums.get(framesPerSecond);
  if (running?.isConnected() === true) {
    return running;
  }
  const started = await keepOpen(
    () => launchChromium([...flags, ...fakeCameras(framesPerSecond)]),
    (one) => one.close(),
  );
  chromiums.set(framesPerSecond, started);
  return started;
}

/** Browser contexts for the tests of the surrounding `describe`. */
export function useBrowser({ framesPerSecond = 5 } = {}): TestBrowser {
  let browser: Browser | undefined;
  let contexts: BrowserContext[] = [];
  let faults: string[] = [];

  before(async function () {
    insideDescribe(this, "useBrowser");
    this.timeout(60_000);
    browser = await sharedChromium(framesPerSecond);
  });

  afterEach(async () => {
    const [open, error] = [contexts, faults];
    contexts = [];
    faults = [];
    await Promise.all(open.map((context) => context.close()));
    expectNoFaults(error);
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
        // On a busy machine, an animated element may have moved before a click reaches it.
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

/** Waits until all finite animations have ended. */
async function settle(page: Page | Frame): Promise<void> {
  await page.evaluate(`(async () => {
    const moving = document
      .getAnimations()
      .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.all(moving.map((one) => one.finished.catch(() => {})));
  })()`);
}

/**
 * Screenshots are for manual review and cost a second each, so they are taken in the nightly run or
 * on demand.
 */
const arePicturesKept = isNight || process.env["SCREENSHOTS"] === "1";

/** Saves a screenshot in an ignored folder. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (!arePicturesKept) {
    return;
  }
  await mkdir(screenshotDir, { recursive: true });
  await settle(page);
  await page.screenshot({ path: `${screenshotDir}/${name}.png`, fullPage: true });
}

function overflows(page: Page): Promise<boolean> {
  return page.evaluate("document.documentElement.scrollWidth > window.innerWidth + 1");
}

/** Expects a page without horizontal scrolling, after it had time to render its phone layout. */
export function seeFits(page: Page, what = "the page"): Promise<void> {
  return eventually(async () => {
    if (await overflows(page)) {
      throw new Error(`It scrolls sideways: ${what}`);
    }
  });
}

/** The names of tables that are partly hidden, except those that scroll on purpose. */
function overflowingTables(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll(':is([role="region"], [role="group"]):not([data-scrolls]):has(> table)')]
    .filter((frame) => frame.scrollWidth > frame.clientWidth + 1)
    .map((frame) => frame.getAttribute("aria-label"))`);
}

/** Waits, because a page switches to its phone layout shortly after its window was resized. */
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

/** Saves screenshots at desktop and phone size, and expects that nothing is truncated. */
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

/** Once per document: it takes a fifth of a second of processor time. */
async function loadAxe(page: Page | Frame): Promise<void> {
  if (await page.evaluate('typeof window.axe === "undefined"')) {
    axeSource ??= readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    await page.evaluate(await axeSource);
  }
}

const landmarkRules = [
  ...["landmark-unique", "landmark-no-duplicate-banner", "landmark-one-main", "region"],
  ...["landmark-banner-is-top-level", "landmark-complementary-is-top-level"],
];

/**
 * Texts of open tooltips, which assistive technology reads with their target, wherever they are in
 * the document.
 */
const tooltipTexts = `[...document.querySelectorAll('[role="tooltip"][id]')].filter(({ id }) =>
  document.querySelector('[aria-describedby~="' + id + '"]') !== null)`;

/** Problems for users who navigate by landmarks. */
export async function findLandmarkFaults(page: Page): Promise<string[]> {
  await loadAxe(page);
  const { violations } = await page.evaluate<AxeResult>(
    `axe.run({ include: [document], exclude: ${tooltipTexts} }, { runOnly: ${JSON.stringify(landmarkRules)} })`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${id}: ${html.slice(0, 300)}`),
  );
}

/** Accessibility barriers: serious and critical findings of axe. */
export async function findBarriers(page: Page | Frame): Promise<string[]> {
  await loadAxe(page);
  await settle(page); // colors during a transition are not final
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
