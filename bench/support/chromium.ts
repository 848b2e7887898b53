import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";
import { readEnvironment } from "../../src/config/environment.ts";

const systemPaths = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The system's Chromium where there is one, else the one that an npm package brings along. */
export const launchChromium = async (): Promise<Browser> => {
  const given = readEnvironment()["CHROMIUM_PATH"] ?? "";
  const found = [given, ...systemPaths].find((path) => path !== "" && existsSync(path));
  const executablePath =
    found ?? (await (await import("@sparticuz/chromium")).default.executablePath());
  return chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    headless: true,
  });
};
