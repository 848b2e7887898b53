/** `npm run docs:config`: writes docs/configuration.md, the reference of all settings. */
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describeSettings } from "./reference.ts";

const file = fileURLToPath(new URL("../../docs/configuration.md", import.meta.url));

await writeFile(file, describeSettings());
