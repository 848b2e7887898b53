import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import { headerPresets } from "../../src/contracts/request-headers.ts";
import { buildRequest } from "../../src/pipeline/delivery/request.ts";
import { newKeyPair } from "../../src/subscriptions/signing-keys.ts";
import { fencesOf, readPage, sectionOf, tableOf, wordsOf } from "../support/markdown.ts";

const secret = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
const older = `whsec_${Buffer.alloc(24, 3).toString("base64")}`;
const stranger = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
const keys = newKeyPair((length) => Buffer.alloc(length, 5));
const otherKeys = newKeyPair((length) => Buffer.alloc(length, 6));
const body = '{"event": "update","object":"ticket","objectId":7,"props":{"name":"Zoë 🎥 \\u00e9"}}';

/** A request as passed to a sample. `keys` are the receiver's secrets or public keys. */
type Case = {
  name: string;
  headers: Record<string, string>;
  body: string;
  keys: string[];
  isGenuine: boolean;
};

function lowerCase(headers: Record<string, string | undefined>): Record<string, string> {
  const lines = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return Object.fromEntries(lines.filter(([, value]) => value !== undefined));
}

type Signing = { secrets?: string[]; at?: Date; privateKeys?: (typeof keys)[] };

/** The headers of a request, built by the production code. */
function sent({ secrets = [secret], at = new Date(), privateKeys }: Signing = {}) {
  return lowerCase(
    buildRequest(
      {
        url: "https://receiver.example/",
        ...{ eventId: "evt_1", sequence: 1, attempt: 1, body, secrets, headers: [] },
        authOptions:
          privateKeys === undefined
            ? null
            : { hasV1: false, keys: privateKeys, presets: [], oauth2: null, certificate: null },
      },
      at,
    ).request.headers,
  );
}

const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1_000);

/** The cases that every sample must distinguish, signed by the given signer. */
function casesOf(
  sign: (more?: { at?: Date }) => Record<string, string>,
  known: string[],
  strange: string[],
): Case[] {
  const fine = sign();
  const valid = { headers: fine, body, keys: known, isGenuine: true };
  const bad = { ...valid, isGenuine: false };
  const without = (name: string) =>
    Object.fromEntries(Object.entries(fine).filter(([one]) => one !== name));
  const signature = String(fine["webhook-signature"]);
  return [
    { ...valid, name: "a request of the platform" },
    { ...valid, name: "four minutes old", headers: sign({ at: ago(240) }) },
    { ...valid, name: "known by the second of two keys", keys: [...strange, ...known] },
    {
      ...valid,
      name: "beside signatures of other versions",
      headers: { ...fine, "webhook-signature": `v1,AAAA v1a,AAAA v2,x ${signature}` },
    },
    { ...bad, name: "another key", keys: strange },
    { ...bad, name: "no key", keys: [] },
    { ...bad, name: "another body", body: `${body} ` },
    { ...bad, name: "another id", headers: { ...fine, "webhook-id": "evt_2" } },
    { ...bad, name: "ten minutes old", headers: sign({ at: ago(600) }) },
    { ...bad, name: "ten minutes early", headers: sign({ at: ago(-600) }) },
    {
      ...bad,
      name: "a newer time written over an old one",
      headers: {
        ...sign({ at: ago(600) }),
        "webhook-timestamp": String(fine["webhook-timestamp"]),
      },
    },
    { ...bad, name: "no number", headers: { ...fine, "webhook-timestamp": "soon" } },
    { ...bad, name: "no time", headers: without("webhook-timestamp") },
    { ...bad, name: "no signature", headers: without("webhook-signature") },
    { ...bad, name: "an empty signature", headers: { ...fine, "webhook-signature": "" } },
    {
      ...bad,
      name: "the bare signature",
      headers: { ...fine, "webhook-signature": signature.slice(signature.indexOf(",") + 1) },
    },
    { ...bad, name: "nothing at all", headers: {} },
  ];
}

function bySecret(): Case[] {
  return [
    ...casesOf(sent, [secret], [stranger]),
    ...[secret, older].map((key) => ({
      ...{ name: "while the secret is being changed", keys: [key], isGenuine: true },
      headers: sent({ secrets: [secret, older] }),
      body,
    })),
  ];
}

function run(file: string, args: readonly string[], cwd: string, input = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, GOFLAGS: "-mod=mod", GOTOOLCHAIN: "local", GO111MODULE: "on" };
    const child = execFile(file, args, { cwd, env }, (error, stdout, stderr) => {
      if (error === null) {
        resolve(stdout);
      } else {
        reject(new Error(`${file} ${args.join(" ")}: ${stderr || stdout || error.message}`));
      }
    });
    child.stdin?.end(input);
  });
}

async function isHere(file: string, args: readonly string[]): Promise<boolean> {
  const [result] = await Promise.allSettled([run(file, args, tmpdir())]);
  return result.status === "fulfilled";
}

/** Each driver reads a list of cases from its standard input, and prints the list of verdicts. */
const pythonDriver = `
import json, sys
from sample import is_genuine
cases = json.load(sys.stdin)
print(json.dumps([is_genuine(c["headers"], c["body"].encode(), c["keys"]) for c in cases]))
`;
const goDriver = `package main

import (
	"encoding/json"
	"os"

	"sample/receiver"
)

func main() {
	var cases []struct {
		Headers map[string]string
		Body    string
		Keys    []string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	verdicts := []bool{}
	for _, c := range cases {
		header := func(name string) string { return c.Headers[name] }
		verdicts = append(verdicts, receiver.IsGenuine(header, []byte(c.Body), c.Keys))
	}
	json.NewEncoder(os.Stdout).Encode(verdicts)
}
`;
const phpDriver = `<?php
require 'sample.php';
$verdicts = [];
foreach (json_decode(stream_get_contents(STDIN), true) as $case) {
    $verdicts[] = isGenuine($case['headers'], $case['body'], $case['keys']);
}
echo json_encode($verdicts);
`;

type Language = {
  title: string;
  fence: string;
  isHere: () => Promise<boolean>;
  /**
   * Runs the sample in its language and returns its verdicts. `input` is called once the program is
   * ready, because a compiler may take longer than a signature is valid.
   */
  verify: (folder: string, sample: string, input: () => string) => Promise<string>;
};

const nodeVerify: Language["verify"] = async (folder, sample, input) => {
  const file = join(folder, `sample-${Math.random()}.mjs`);
  await writeFile(file, sample);
  const { isGenuine } = (await import(pathToFileURL(file).href)) as {
    isGenuine: (headers: object, body: Buffer, keys: string[]) => boolean;
  };
  const cases = JSON.parse(input()) as Case[];
  return JSON.stringify(
    cases.map((one) => isGenuine(one.headers, Buffer.from(one.body), one.keys)),
  );
};

const languages: Language[] = [
  { title: "Node", fence: "js", isHere: async () => true, verify: nodeVerify },
  {
    title: "Python",
    fence: "python",
    isHere: () => isHere("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]),
    verify: async (folder, sample, input) => {
      await writeFile(join(folder, "sample.py"), sample);
      await writeFile(join(folder, "driver.py"), pythonDriver);
      return run("python3", ["driver.py"], folder, input());
    },
  },
  {
    title: "PHP",
    fence: "php",
    isHere: () => isHere("php", ["--version"]),
    verify: async (folder, sample, input) => {
      await writeFile(join(folder, "sample.php"), sample);
      await writeFile(join(folder, "driver.php"), phpDriver);
      return run("php", ["driver.php"], folder, input());
    },
  },
  {
    title: "Go",
    fence: "go",
    isHere: () => isHere("go", ["version"]),
    verify: async (folder, sample, input) => {
      await mkdir(join(folder, "receiver"));
      await writeFile(join(folder, "go.mod"), "module sample\n\ngo 1.19\n");
      await writeFile(join(folder, "receiver", "receiver.go"), sample);
      await writeFile(join(folder, "main.go"), goDriver);
      await run("go", ["build", "-o", "sample", "."], folder);
      return run(join(folder, "sample"), [], folder, input());
    },
  },
];

describe("docs/receivers.md", () => {
  let page: string;
  let folder: string;
  before("read the page", async () => {
    page = await readPage("docs/receivers.md");
    folder = await mkdtemp(join(tmpdir(), "sightline-samples-"));
  });
  after("remove the samples", async () => {
    await rm(folder, { recursive: true, force: true });
  });

  const check = async (
    { title, fence, verify }: Pick<Language, "title" | "fence" | "verify">,
    makeCases: () => readonly Case[],
  ): Promise<void> => {
    let cases: readonly Case[] = [];
    const input = (): string => {
      cases = makeCases();
      return JSON.stringify(cases);
    };
    const [sample = ""] = fencesOf(sectionOf(page, title), fence);
    expect(sample, title).to.not.equal("");
    const verdicts = JSON.parse(await verify(folder, sample, input)) as boolean[];
    const wrong = cases.filter((one, index) => one.isGenuine !== verdicts[index]);
    expect(wrong.map(({ name }) => name)).to.deep.equal([]);
    expect(verdicts.length).to.equal(cases.length);
  };

  it("has samples that accept only valid signatures, in every language available on this machine", async () => {
    const checked: string[] = [];
    for (const language of languages) {
      if (await language.isHere()) {
        await check(language, bySecret);
        checked.push(language.title);
      }
    }
    expect(checked).to.include("Node");
  }).timeout(300_000);

  it("has a sample for public keys that does the same", async () => {
    const title = "With a public key";
    const cases = (): Case[] =>
      casesOf(
        (more) => sent({ ...more, privateKeys: [keys] }),
        [keys.publicKey],
        [otherKeys.publicKey],
      );
    const rotating = {
      name: "while the key is being changed",
      headers: sent({ privateKeys: [otherKeys, keys] }),
      ...{ body, keys: [keys.publicKey], isGenuine: true },
    };
    await check({ title, fence: "js", verify: nodeVerify }, () => [...cases(), rotating]);
  });

  it("has a sample in each of the four languages", () => {
    for (const { title, fence } of languages) {
      expect(fencesOf(sectionOf(page, title), fence), title).to.have.length(1);
    }
  });

  it("names every header preset", () => {
    const rows = tableOf(sectionOf(page, "With a library you already have"));
    expect(rows.flatMap(([preset = ""]) => wordsOf(preset))).to.deep.equal([...headerPresets]);
  });
});
