import { readFile } from "node:fs/promises";

export type ChildProcess = Readonly<{ id: number; command: string; session: number }>;

/** Running child processes of this process that run a program. */
export async function childrenRunning(program: string): Promise<ChildProcess[]> {
  const ids = await readFile(`/proc/self/task/${process.pid}/children`, "utf8");
  const found = await Promise.all(ids.split(" ").filter(Boolean).map(readProcess));
  return found.filter(({ command }) => command.includes(program));
}

async function readProcess(id: string): Promise<ChildProcess> {
  const read = (name: string) => readFile(`/proc/${id}/${name}`, "utf8").catch(() => "");
  const [command, stat] = await Promise.all([read("cmdline"), read("stat")]);
  return { id: Number(id), command, session: Number(stat.split(") ")[1]?.split(" ")[3]) };
}

/** False for a process that has ended but that nobody has waited for. */
export async function isRunning(id: number): Promise<boolean> {
  const stat = await readFile(`/proc/${id}/stat`, "utf8").catch(() => "");
  return stat !== "" && !stat.includes(") Z ");
}
