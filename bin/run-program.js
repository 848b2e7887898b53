/**
 * Runs the built programs. A service starts from the code that V8 compiled in an earlier run, which is
 * kept beside the script: that saves a third of the time to start. Plain JavaScript, because it runs
 * before anything is built.
 */
import { createHash, randomUUID } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import { accessSync, constants, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { cachedDataVersionTag } from "node:v8";
import { Script } from "node:vm";
import { locateProgram } from "./locate-program.js";

/**
 * Runs a program, and returns what it exports.
 * @param {string} name
 */
export async function runProgram(name) {
  const file = locateProgram(name);
  return file.endsWith(".cjs") ? runScript(file) : import(pathToFileURL(file).href);
}

function runScript(file) {
  const module = { exports: {} };
  const script = compile(file).runInThisContext();
  script(module.exports, createRequire(file), module, file, dirname(file));
  return module.exports;
}

function compile(file) {
  const source = readFileSync(file, "utf8");
  // oxlint-disable-next-line node/no-process-env -- a setting of Node
  if (process.env["NODE_V8_COVERAGE"] !== undefined) {
    return new Script(source, { filename: file }); // its code counts, and kept code does not
  }
  // Other versions of V8, and other flags, need other code.
  const codeFile = `${file}.${cachedDataVersionTag().toString(16)}`;
  const cachedData = readCode(codeFile);
  const script = new Script(source, { filename: file, cachedData });
  if (cachedData === undefined || script.cachedDataRejected) {
    keepWhenReady(script, codeFile);
  }
  return script;
}

/** Not in the moment in which the first requests come. */
const pauseMs = 1_000;

/**
 * Keeps what is compiled once the program is ready, which services say on this channel: V8 compiles
 * functions at their first call.
 */
function keepWhenReady(script, file) {
  let isKept = false;
  const keep = () => {
    if (!isKept) {
      isKept = true;
      keepCode(script, file);
    }
  };
  subscribe("sightline.ready", () => {
    setTimeout(keep, pauseMs).unref();
    process.once("exit", keep);
  });
}

/** Appears by a rename, so that no other process reads a part of it. Without it, starts take longer. */
function keepCode(script, file) {
  const partial = `${file}.${randomUUID()}`;
  try {
    accessSync(dirname(file), constants.W_OK);
    const code = script.createCachedData();
    writeFileSync(partial, Buffer.concat([digestOf(code), code]));
    renameSync(partial, file);
  } catch {
    removeIfPossible(partial); // the folder may be read-only, or the disk full
  }
}

function removeIfPossible(file) {
  try {
    rmSync(file, { force: true });
  } catch {
    // It is removed with the build.
  }
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
