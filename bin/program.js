#!/usr/bin/env node
// `node bin/program.js <name> [arguments]`: a process of this package, such as `web` or `relay`.
import { runProgram } from "./run-program.js";

const [name = ""] = process.argv.splice(2, 1);
await runProgram(name);
