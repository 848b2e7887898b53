/** coturn, as packaged by Debian, for calls whose media may use a relay only. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { eventually } from "./eventually.ts";
import { freePort } from "./free-port.ts";

function tlsPath(name: string): string {
  return fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));
}

const run = promisify(execFile);

export const turnSecret = "shared between the platform and coturn";

export type TurnServer = Readonly<{
  /** URL for this transport: `turn:192.0.2.2:3478?transport=udp`. */
  urlOf(transport: "udp" | "tcp" | "tls"): string;
  /** The log so far, with an allocation for each relayed call. */
  output(): string;
  close(): Promise<void>;
}>;

/** Whether `turnserver` is installed. */
export async function hasTurnServer(): Promise<boolean> {
  // `--help` exits with a nonzero code, so only a failed start counts.
  return run("turnserver", ["--help"]).then(
    () => true,
    (thrown: NodeJS.ErrnoException) => thrown.code !== "ENOENT",
  );
}

/** Browsers do not relay over loopback, so this is another address of this machine. */
function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const found = all.find(({ family, internal }) => family === "IPv4" && !internal);
  if (found === undefined) {
    throw new Error("This machine has no network address besides loopback");
  }
  return found.address;
}

export async function startTurnServer(): Promise<TurnServer> {
  const dir = await mkdtemp(join(tmpdir(), "sightline-turn-"));
  const address = ownAddress();
  const [port, tlsPort] = [await freePort(), await freePort()];
  const child = spawn(
    "turnserver",
    [
      ...["-n", "--no-cli", "--no-dtls", "--log-file=stdout", "--simple-log", "--verbose"],
      ...[`--listening-ip=${address}`, `--relay-ip=${address}`, "--realm=sightline.example"],
      ...[`--listening-port=${port}`, `--tls-listening-port=${tlsPort}`],
      ...["--use-auth-secret", `--static-auth-secret=${turnSecret}`],
      ...[`--cert=${tlsPath("valid.pem")}`, `--pkey=${tlsPath("server.key")}`],
      ...[`--userdb=${join(dir, "turn.sqlite")}`, `--pidfile=${join(dir, "turn.pid")}`],
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let output = "";
  child.stdout.on("data", (data: Buffer) => (output += data.toString()));
  child.stderr.on("data", (data: Buffer) => (output += data.toString()));
  await eventually(() => /listener opened on/u.test(output) || child.exitCode !== null);
  if (child.exitCode !== null) {
    throw new Error(`turnserver ended:\n${output}`);
  }
  const urls = {
    udp: `turn:${address}:${port}?transport=udp`,
    tcp: `turn:${address}:${port}?transport=tcp`,
    tls: `turns:${address}:${tlsPort}?transport=tcp`,
  };
  return {
    urlOf: (transport) => urls[transport],
    output: () => output,
    close: async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
      await rm(dir, { recursive: true, force: true });
    },
  };
}
