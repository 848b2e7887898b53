import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

export function readPage(path: string): Promise<string> {
  return readFile(`${root}${path}`, "utf8");
}

/** The part of a page from a heading to the next of the same or a higher level. */
export function sectionOf(page: string, title: string): string {
  const lines = page.split("\n");
  const start = lines.findIndex((line) => /^#+ /u.test(line) && line.endsWith(` ${title}`));
  if (start === -1) {
    throw new Error(`There is no heading "${title}"`);
  }
  const level = lines[start]?.indexOf(" ") ?? 1;
  const isNext = (line: string): boolean => /^#+ /u.test(line) && line.indexOf(" ") <= level;
  const length = lines.slice(start + 1).findIndex(isNext);
  return lines.slice(start, length === -1 ? undefined : start + 1 + length).join("\n");
}

/** The fenced blocks of one language. */
export function fencesOf(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gmu"))].map(
    ([, block = ""]) => block,
  );
}

/** The rows of the first table, without its heading, cell by cell. */
export function tableOf(text: string): string[][] {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => /^\|[\s:|-]+\|$/u.test(line));
  const rows = lines.slice(start + 1);
  const end = rows.findIndex((line) => !line.startsWith("|"));
  return rows.slice(0, end === -1 ? undefined : end).map((row) =>
    row
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}

function withoutFences(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gmu, "");
}

/** The words that stand in code marks, those of fenced blocks not counted. */
export function wordsOf(text: string): string[] {
  return [...withoutFences(text).matchAll(/`([^`]+)`/gu)].map(([, word = ""]) => word);
}

/** What a heading's address ends in, as GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

export function anchorsOf(page: string): Set<string> {
  const headings = withoutFences(page)
    .split("\n")
    .filter((line) => /^#+ /u.test(line));
  return new Set(headings.map((line) => anchorOf(line.replace(/^#+ /u, ""))));
}

/** Links to other places of the repository, as they are written. */
export function linksOf(page: string): string[] {
  return [...withoutFences(page).matchAll(/\]\(([^)\s]+)\)/gu)]
    .map(([, link = ""]) => link)
    .filter((link) => !/^[a-z]+:/u.test(link));
}
