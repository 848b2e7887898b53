/**
 * Runs the built programs. A script starts from the code that V8 compiled in an earlier run, which is
 * kept beside it: that halves the time to start. Plain JavaScript, because it runs before anything is
 * built.
 */
import { createHash } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { cachedDataVersionTag } from "node:v8";
import { constants, Script } from "node:vm";
import { locateProgram } from "./locate-program.js";

/**
 * Runs a program, and returns what it exports.
 * @param {string} name
 */
export async function runProgram(name) {
  const file = locateProgram(name);
  if (!file.endsWith(".cjs")) {
    return import(pathToFileURL(file).href);
  }
  const require = createRequire(file);
  return process.sourceMapsEnabled ? require(file) : runScript(file, require);
}

function runScript(file, require) {
  const module = { exports: {} };
  const script = compile(file).runInThisContext();
  script(module.exports, require, module, file, dirname(file));
  return module.exports;
}

function compile(file) {
  // Other versions of V8, and other flags, need other code.
  const codeFile = `${file}.${cachedDataVersionTag().toString(16)}`;
  const cachedData = readCode(codeFile);
  const script = new Script(readFileSync(file, "utf8"), {
    filename: file,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (cachedData === undefined || script.cachedDataRejected) {
    keepCode(script, codeFile);
  }
  return script;
}

/** V8 compiles functions at their first call: by then, most of those that a start needs. */
const startMs = 5_000;

/** Keeps what is compiled once the program runs, or has ended well. */
function keepCode(script, file) {
  let isKept = false;
  const keep = () => {
    if (!isKept) {
      isKept = true;
      writeCode(file, script.createCachedData());
    }
  };
  setTimeout(keep, startMs).unref();
  process.once("exit", (code) => {
    if (code === 0) {
      keep();
    }
  });
}

/** V8 does not check code for damage, and might crash. */
const digestBytes = 32;

function digestOf(code) {
  return createHash("sha256").update(code).digest();
}

/** Undefined if it is missing or damaged. */
function readCode(file) {
  try {
    const bytes = readFileSync(file);
    const code = bytes.subarray(digestBytes);
    return digestOf(code).equals(bytes.subarray(0, digestBytes)) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Appears by a rename, so that no other process reads a part of it. Without it, starts take longer. */
function writeCode(file, code) {
  const partial = `${file}.${process.pid}`;
  try {
    writeFileSync(partial, Buffer.concat([digestOf(code), code]));
    renameSync(partial, file);
  } catch {
    rmSync(partial, { force: true }); // the folder may be read-only, or the disk full
  }
}
