/**
 * `node --import tsx bench/profile.ts <file.cpuprofile> [deliveries]`: evaluates a profile of `node
 * --cpu-prof`. By owner: time in Node internals counts for the package that called them. By
 * function: self time.
 */
import { readFile } from "node:fs/promises";
import { readArguments } from "../src/config/environment.ts";

type ProfileNode = {
  id: number;
  callFrame: { functionName: string; url: string; lineNumber: number };
  children?: number[];
};
type Profile = { nodes: ProfileNode[]; samples: number[]; timeDeltas: number[] };

function placeOf(url: string): string {
  const inPackage = /.*node_modules\/(?<name>(?:@[^/]+\/)?[^/]+)/u.exec(url)?.groups?.["name"];
  const own = /\/(?<place>(?:src|bench|workers)\/.*)$/u.exec(url)?.groups?.["place"];
  return inPackage ?? own ?? url;
}

/** Node's HTTP client is its own owner; other Node code counts for its caller. */
function isOwner(place: string): boolean {
  return place !== "" && (!place.startsWith("node:") || place.startsWith("node:_http"));
}

const outside = new Set(["(garbage collector)", "(program)"]);

/** The nearest caller that is an owner, for every node of the call tree. */
function findOwners(nodes: readonly ProfileNode[]): Map<number, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const owners = new Map<number, string>();
  const visit = (node: ProfileNode, inherited: string): void => {
    const { functionName, url } = node.callFrame;
    const place = placeOf(url);
    const named = place.startsWith("node:_http") ? "node:http" : place;
    const owner = outside.has(functionName) ? functionName : isOwner(place) ? named : inherited;
    owners.set(node.id, owner);
    for (const child of node.children ?? []) {
      const found = byId.get(child);
      if (found !== undefined) {
        visit(found, owner);
      }
    }
  };
  const [root] = nodes;
  if (root !== undefined) {
    visit(root, "(node itself)");
  }
  return owners;
}

function add(sums: Map<string, number>, name: string, us: number): void {
  void sums.set(name, (sums.get(name) ?? 0) + us);
}

/** Busy microseconds by owner and by function. */
function sumUp(profile: Profile) {
  const frames = new Map(profile.nodes.map((node) => [node.id, node.callFrame]));
  const owners = findOwners(profile.nodes);
  const byOwner = new Map<string, number>();
  const byFunction = new Map<string, number>();
  let busyUs = 0;
  profile.samples.forEach((id, index) => {
    const frame = frames.get(id);
    const us = profile.timeDeltas[index] ?? 0;
    if (frame === undefined || frame.functionName === "(idle)" || frame.functionName === "(root)") {
      return;
    }
    busyUs += us;
    const owner = owners.get(id) ?? "";
    add(byOwner, owner, us);
    const name = frame.functionName || "(anonymous)";
    const place = placeOf(frame.url) || `for ${owner}`;
    add(byFunction, `${name}  ${place}:${frame.lineNumber + 1}`, us);
  });
  return { byOwner, byFunction, busyUs };
}

function table(title: string, sums: Map<string, number>, perUs: number): string {
  const rows = [...sums].toSorted((a, b) => b[1] - a[1]).slice(0, 45);
  const lines = rows.map(([name, us]) => `${(us / perUs).toFixed(1).padStart(8)}  ${name}`);
  return [title, ...lines].join("\n");
}

async function main([file, deliveries]: readonly string[]): Promise<void> {
  if (file === undefined) {
    throw new Error("node --import tsx bench/profile.ts <file.cpuprofile> [deliveries]");
  }
  const profile = JSON.parse(await readFile(file, "utf8")) as Profile;
  const { byOwner, byFunction, busyUs } = sumUp(profile);
  const perUs = deliveries === undefined ? busyUs / 100 : Number(deliveries);
  const unit = deliveries === undefined ? "% of busy time" : "µs per delivery";
  const tables = [
    `Busy for ${(busyUs / 1e6).toFixed(1)} s`,
    table(`By owner, ${unit}`, byOwner, perUs),
    table(`By function, ${unit}`, byFunction, perUs),
  ];
  process.stdout.write(`${tables.join("\n\n")}\n`);
}

await main(readArguments());
