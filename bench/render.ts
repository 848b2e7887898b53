/** `node --import tsx bench/render.ts <results.json>`: writes the HTML report again. */
import { readFile, writeFile } from "node:fs/promises";
import { readArguments } from "../src/config/environment.ts";
import { readHistory } from "./figures/history.ts";
import { renderPage } from "./report/html/page.ts";
import type { Results } from "./results.ts";

const [file = ""] = readArguments();
const results = JSON.parse(await readFile(file, "utf8")) as Results;
const page = file.replace(/(?:\.json)?$/u, ".html");
await writeFile(page, renderPage(results, await readHistory()));
process.stdout.write(`${page}\n`);
