import { spawn, type ChildProcess } from "node:child_process";

/**
 * Kills a process and removes its folder when this process is gone, whichever way it goes: a
 * shell waits for the end of a pipe that the operating system closes for us, even on `kill -9`.
 */
export const reapAfterOurDeath = (pid: number, dir: string): { dismiss(): void } => {
  const script = 'read -r _; kill -KILL "$1" 2>/dev/null; sleep 1; rm -rf -- "$2"';
  const reaper: ChildProcess = spawn("/bin/sh", ["-c", script, "reaper", String(pid), dir], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  reaper.unref();
  (reaper.stdin as unknown as { unref(): void }).unref();
  reaper.on("error", () => undefined);
  return {
    dismiss: () => {
      reaper.kill("SIGKILL");
    },
  };
};
