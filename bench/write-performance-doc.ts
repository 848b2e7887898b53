/** `npm run docs:performance`: writes the tables of `docs/performance.md` from the history. */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { readHistory } from "./figures/history.ts";
import { fillTables } from "./report/performance-doc.ts";

const file = fileURLToPath(new URL("../docs/performance.md", import.meta.url));
await writeFile(file, fillTables(await readFile(file, "utf8"), await readHistory()));
