import { spawn } from "node:child_process";

export type Guardian = {
  watch(pid: number): void;
  forget(pid: number): void;
  dismiss(): void;
};

/**
 * Kills the remaining children after this process has ended, even by `kill -9`: a shell reads their
 * process ids from a pipe that the operating system then closes.
 */
const script = `
  pids=" "
  while read -r sign pid; do
    if [ "$sign" = + ]; then pids="$pids$pid "; else pids=$(printf %s "$pids" | sed "s/ $pid / /"); fi
  done
  for pid in $pids; do kill -KILL "$pid" 2>/dev/null; done
  sleep 1
  rm -rf -- "$1"`;

export function startGuardian(dir: string): Guardian {
  const shell = spawn("/bin/sh", ["-c", script, "bench-guardian", dir], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  shell.unref();
  shell.stdin.on("error", () => undefined);
  return {
    watch: (pid) => void shell.stdin.write(`+ ${pid}\n`),
    forget: (pid) => void shell.stdin.write(`- ${pid}\n`),
    dismiss: () => void shell.stdin.end(),
  };
}
