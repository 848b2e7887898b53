#!/usr/bin/env node
// The command line: docs/cli.md.
import { locateProgram } from "./locate-program.js";

const { main } = await import(locateProgram("cli"));
await main();
