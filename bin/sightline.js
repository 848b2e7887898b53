#!/usr/bin/env node
// The command line: docs/cli.md.
import { runProgram } from "./run-program.js";

const { main } = await runProgram("cli");
await main();
