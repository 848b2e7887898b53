/** The live page in a real Chromium: load of its main thread during deliveries. */
import { loadavg } from "node:os";
import type { Page } from "playwright-core";
import { sleep } from "../../src/platform/concurrency/async.ts";
import { launchChromium } from "../support/chromium.ts";
import { watchTasks } from "../support/page-tasks.ts";
import type { Login } from "../support/stack.ts";

export type LivePage = {
  settledPerSecond: number;
  /** Number of main-thread tasks, and the longest one by CPU time. */
  tasks: number;
  longestCpuMs: number;
  /**
   * The longest task by wall-clock time, among those that the browser reports as long (50 ms or
   * more).
   */
  longestWallMs: number;
  longTasks: number;
  mainThreadPercent: number;
  /** Load average of the last minute. If it exceeds the number of cores, processes wait for CPU. */
  load: number;
};

const firstMs = 60_000;

async function openPage(page: Page, url: string, { login, password }: Login): Promise<void> {
  page.setDefaultTimeout(firstMs);
  await page.goto(`${url}/dashboard/deliveries`);
  await page.getByLabel("Login").fill(login);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
  await page.getByRole("slider", { name: "Results" }).waitFor();
}

/** Observes the page for this long, starting some seconds after it shows data. */
export async function livePage(
  { url, login }: { url: string; login: Login },
  { seconds, settled }: { seconds: number; settled: () => number },
): Promise<LivePage> {
  const browser = await launchChromium();
  try {
    const context = await browser.newContext({ locale: "en-GB" });
    const page = await context.newPage();
    await openPage(page, url, login);
    await sleep(5_000);
    const before = { settled: settled(), at: performance.now() };
    const watched = await watchTasks(page, () => sleep(seconds * 1_000));
    const tookMs = performance.now() - before.at;
    return {
      settledPerSecond: ((settled() - before.settled) * 1_000) / tookMs,
      tasks: watched.count,
      longestCpuMs: watched.longestMs,
      longestWallMs: Math.max(0, ...watched.longTasks),
      longTasks: watched.longTasks.length,
      mainThreadPercent: watched.mainThreadPercent,
      load: loadavg()[0] ?? 0,
    };
  } finally {
    await browser.close();
  }
}
