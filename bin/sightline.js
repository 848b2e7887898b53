#!/usr/bin/env node
// The command line runs as it is written, as every process of this package: see docs/cli.md.
import { register } from "tsx/esm/api";

register();
const { main } = await import("../src/cli/main.ts");
await main();
