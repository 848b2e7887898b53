/**
 * The scripts that a page of an application begins with, in its first bytes: a browser that learns of
 * them one after the other waits for the network once for each.
 */
import type { Request } from "express";
import type { BuiltPages } from "./built.ts";

type Language = "en" | "fr";

type Preload = Readonly<{
  folder: string;
  /** A part that begins with `$` stands for any. */
  address: string;
  scripts: Readonly<Record<Language, readonly string[]>>;
}>;

export type PreloadDeps = Readonly<{
  built: BuiltPages;
  page: string;
  /** Whether a request may belong to a session; where not, the page need not ask. */
  mayHaveSession(request: Request): boolean;
}>;

export type PageStart = Readonly<{
  /** For the head of the page that is sent to this request. */
  head: string;
  /** 404 where the application has nothing at this address: it says so itself. */
  status: 200 | 404;
}>;

/** Written by the build, `web/build/preloads.ts`. */
const fileName = "preloads.json";

/** Asked for by every page of the console before anything else. */
const sessionTag =
  '<link rel="preload" as="fetch" crossorigin="anonymous" href="/api/browser-session">\n';

const noSessionTag = '<meta name="session" content="none">\n';

export async function startOfPage(deps: PreloadDeps, request: Request): Promise<PageStart> {
  const text = await deps.built.read(fileName);
  const preloads = text === undefined ? [] : (JSON.parse(text) as Preload[]);
  const found = findPreload(preloads, deps.page, trimEnd(request.path));
  const language = request.acceptsLanguages(["en", "fr"]) === "fr" ? "fr" : "en";
  const scripts = (found?.scripts[language] ?? []).map(tagOf);
  const session = deps.mayHaveSession(request) ? sessionTag : noSessionTag;
  return {
    head: [session, ...scripts].join(""),
    status: found === undefined && text !== undefined ? 404 : 200,
  };
}

/** The one that names most of the path. */
function findPreload(preloads: readonly Preload[], page: string, path: string) {
  return preloads
    .filter(({ folder, address }) => folder === page && matches(address, path))
    .toSorted((a, b) => wildcards(a) - wildcards(b))[0];
}

function matches(address: string, path: string): boolean {
  const [wanted, parts] = [address.split("/"), path.split("/")];
  return (
    wanted.length === parts.length &&
    wanted.every((part, index) => part.startsWith("$") || part === parts[index])
  );
}

function wildcards({ address }: Preload): number {
  return address.split("$").length;
}

function trimEnd(path: string): string {
  return path.length > 1 ? path.replace(/\/$/u, "") : path;
}

function tagOf(script: string): string {
  return `<link rel="modulepreload" crossorigin href="/${script}">\n`;
}
