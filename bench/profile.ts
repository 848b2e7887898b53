/**
 * `node --import tsx bench/profile.ts <file.cpuprofile> [deliveries]`: where the time of a process
 * went, by package and by function, from what `node --cpu-prof` wrote. Self time: what a function
 * did itself, without what it called.
 */
import { readFile } from "node:fs/promises";
import { readArguments } from "../src/config/environment.ts";

type ProfileNode = {
  id: number;
  callFrame: { functionName: string; url: string; lineNumber: number };
};
type Profile = { nodes: ProfileNode[]; samples: number[]; timeDeltas: number[] };

const packageOf = (url: string): string => {
  const inPackage = /.*node_modules\/(?<name>(?:@[^/]+\/)?[^/]+)/u.exec(url)?.groups?.["name"];
  if (inPackage !== undefined) {
    return inPackage;
  }
  const own = /\/(?<place>(?:src|bench|workers)\/.*)$/u.exec(url)?.groups?.["place"];
  return own ?? (url === "" ? "(native)" : url);
};

const add = (sums: Map<string, number>, name: string, us: number): void =>
  void sums.set(name, (sums.get(name) ?? 0) + us);

/** Self time in microseconds by package (own files by themselves) and by function. */
export const selfTimes = (profile: Profile) => {
  const byId = new Map(profile.nodes.map((node) => [node.id, node.callFrame]));
  const byPackage = new Map<string, number>();
  const byFunction = new Map<string, number>();
  let busyUs = 0;
  profile.samples.forEach((id, index) => {
    const frame = byId.get(id);
    const us = profile.timeDeltas[index] ?? 0;
    if (frame === undefined || frame.functionName === "(idle)" || frame.functionName === "(root)") {
      return;
    }
    busyUs += us;
    const place = packageOf(frame.url);
    add(byPackage, place === "(native)" ? frame.functionName : place, us);
    add(byFunction, `${frame.functionName || "(anonymous)"} ${place}:${frame.lineNumber + 1}`, us);
  });
  return { byPackage, byFunction, busyUs };
};

const table = (title: string, sums: Map<string, number>, perUs: number, unit: string): string => {
  const rows = [...sums].toSorted((a, b) => b[1] - a[1]).slice(0, 40);
  const lines = rows.map(([name, us]) => `${(us / perUs).toFixed(1).padStart(8)}  ${name}`);
  return [`${title} (${unit})`, ...lines].join("\n");
};

const main = async ([file, deliveries]: readonly string[]): Promise<void> => {
  if (file === undefined) {
    throw new Error("Which file? node --import tsx bench/profile.ts <file.cpuprofile> [deliveries]");
  }
  const { byPackage, byFunction, busyUs } = selfTimes(
    JSON.parse(await readFile(file, "utf8")) as Profile,
  );
  const perUs = deliveries === undefined ? busyUs / 100 : Number(deliveries);
  const unit = deliveries === undefined ? "% of busy time" : "µs per delivery";
  process.stdout.write(
    `${table("By package", byPackage, perUs, unit)}\n\n${table("By function", byFunction, perUs, unit)}\n`,
  );
};

await main(readArguments());
