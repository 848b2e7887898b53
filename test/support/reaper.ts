import { spawn } from "node:child_process";

/**
 * Runs a cleanup when this process ends for any reason: a shell waits for the end of a pipe, which
 * the operating system closes even after `kill -9`.
 */
export function afterOurDeath(cleanup: string, ...args: string[]): { dismiss(): void } {
  const reaper = spawn("/bin/sh", ["-c", `read -r _; ${cleanup}`, "reaper", ...args], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  reaper.unref();
  // The pipe must not keep this process alive; the types do not declare it as a socket.
  (reaper.stdin as unknown as { unref(): void }).unref();
  reaper.on("error", () => undefined);
  return {
    dismiss: () => {
      reaper.kill("SIGKILL");
    },
  };
}
