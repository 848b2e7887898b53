import { spawn } from "node:child_process";

/**
 * Runs a cleanup when this process is gone, whichever way it goes: a shell waits for the end of a
 * pipe that the operating system closes for us, even on `kill -9`.
 */
export function afterOurDeath(cleanup: string, ...args: string[]): { dismiss(): void } {
  const reaper = spawn("/bin/sh", ["-c", `read -r _; ${cleanup}`, "reaper", ...args], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  reaper.unref();
  // The pipe alone must not keep this process alive; the types do not know that it is a socket.
  (reaper.stdin as unknown as { unref(): void }).unref();
  reaper.on("error", () => undefined);
  return {
    dismiss: () => {
      reaper.kill("SIGKILL");
    },
  };
}
