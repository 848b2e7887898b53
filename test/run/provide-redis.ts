import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { startRedisServer } from "../support/redis-server.ts";

const run = promisify(execFile);

type ProvidedRedis = { url: string; stop(): Promise<void> };

const aptGet = "/usr/bin/apt-get";
/** Debian runs this script before a package starts its service; exit code 101 forbids the start. */
const servicePolicy = "/usr/sbin/policy-rc.d";

async function isInstalled(): Promise<boolean> {
  return run("redis-server", ["--version"]).then(
    () => true,
    () => false,
  );
}

async function apt(...args: string[]): Promise<void> {
  const child = spawn(aptGet, ["-qq", "-o", "DPkg::Lock::Timeout=120", ...args], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  await once(child, "exit");
}

/** Installs the program only, without starting the distribution's service now or by dpkg. */
async function install(): Promise<void> {
  const isPolicyOurs = !existsSync(servicePolicy);
  if (isPolicyOurs) {
    await writeFile(servicePolicy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  }
  try {
    await apt("update");
    await apt("install", "-y", "--no-install-recommends", "redis-server");
  } finally {
    if (isPolicyOurs) {
      await rm(servicePolicy, { force: true });
    }
  }
}

/** The server of REDIS_URL, or a new one, installed first if possible. Throws if there is none. */
export async function provideRedis(say: (line: string) => void): Promise<ProvidedRedis> {
  const input = process.env["REDIS_URL"];
  if (input !== undefined && input !== "") {
    return { url: input, stop: async () => undefined };
  }
  if (!(await isInstalled()) && existsSync(aptGet) && process.getuid?.() === 0) {
    say("redis-server is not installed: installing Debian's package");
    await install();
  }
  if (!(await isInstalled())) {
    throw new Error("The tests need Redis: install redis-server, or set REDIS_URL.");
  }
  return startRedisServer();
}
