import { readFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { expect } from "chai";
import { languages as invitationLanguages } from "../../src/contracts/languages.ts";
import { listFiles } from "../run/files.ts";

type Texts = { [key: string]: string | Texts };

function flatten(texts: Texts, prefix = ""): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === "string"
      ? [[`${prefix}${key}`, value] as [string, string]]
      : flatten(value, `${prefix}${key}.`),
  );
}

async function readTexts(file: string): Promise<Map<string, string>> {
  return new Map(flatten(JSON.parse(await readFile(file, "utf8")) as Texts));
}

function placesIn(text: string): string[] {
  // Ignores plural choices such as `{{of_photos|photo|photos}}`: a language may use one word for
  // any number.
  return [...text.matchAll(/\{\{\s*([\w.]+)[^}|]*\}\}|(?<!\{)\{(\w+)\}(?!\})/gu)]
    .map(([, double, single]) => double ?? single ?? "")
    .toSorted();
}

const plural = /_(?:zero|one|two|few|many|other)$/u;

/** The key without its plural suffix, because languages have different plural forms. */
function meaningOf(key: string, texts: ReadonlyMap<string, string>): string {
  const counted = key.replace(plural, "");
  return texts.has(`${counted}_other`) ? counted : key;
}

function byText(a: string, b: string): number {
  return a.localeCompare(b);
}

function meaningsOf(texts: ReadonlyMap<string, string>): string[] {
  return [...new Set([...texts.keys()].map((key) => meaningOf(key, texts)))].toSorted(byText);
}

describe("the texts of the pages", () => {
  const areas = async (): Promise<string[]> =>
    (await listFiles(["web"]))
      .filter((file) => file.endsWith("/texts/en.json"))
      .map((file) => dirname(file));

  /** The texts of an area in all languages but English, which is the source. */
  const translationsOf = async (folder: string): Promise<Map<string, Map<string, string>>> => {
    const files = (await listFiles([folder])).filter((file) => !file.endsWith("/en.json"));
    return new Map(
      await Promise.all(
        files.map(async (file) => [basename(file, ".json"), await readTexts(file)] as const),
      ),
    );
  };

  it("exist in every language, for each namespace", async () => {
    const folders = await areas();
    expect(folders.length).to.be.greaterThan(8);
    for (const folder of folders) {
      const en = await readTexts(`${folder}/en.json`);
      const translations = await translationsOf(folder);
      expect([...translations.keys()], folder).to.include("fr");
      for (const [language, texts] of translations) {
        expect(meaningsOf(texts), `${folder} ${language}`).to.deep.equal(meaningsOf(en));
      }
    }
  });

  it("exist in the language of every invitation on pages for customers", async () => {
    for (const folder of ["web/entry-point/texts", "web/information/texts", "web/visit/texts"]) {
      const languages = ["en", ...(await translationsOf(folder)).keys()];
      expect(languages, folder).to.have.members([...invitationLanguages]);
    }
  });

  it("have the same placeholders in every language", async () => {
    const faults: string[] = [];
    for (const folder of await areas()) {
      const en = await readTexts(`${folder}/en.json`);
      for (const [language, texts] of await translationsOf(folder)) {
        const different = [...texts].filter(([key, text]) => {
          const original = en.get(key);
          return original !== undefined && placesIn(text).join() !== placesIn(original).join();
        });
        faults.push(...different.map(([key, text]) => `${folder} ${language} ${key}: ${text}`));
      }
    }
    expect(faults).to.deep.equal([]);
  });

  it("are never empty, and have no exclamation marks", async () => {
    const faults: string[] = [];
    for (const file of (await listFiles(["web"])).filter((name) =>
      /\/texts\/\w+\.json$/u.test(name),
    )) {
      for (const [key, text] of await readTexts(file)) {
        if (text.trim() === "" || /!(?!=)/u.test(text)) {
          faults.push(`${file} ${key}: ${text}`);
        }
      }
    }
    expect(faults).to.deep.equal([]);
  });

  it("name no number of people in a full meeting: its limit depends on the media route", async () => {
    for (const language of ["en", "fr"]) {
      const texts = await readTexts(`web/meeting/texts/${language}.json`);
      expect(texts.get("full_text"), language).to.not.match(/\d|\bsix\b/iu);
    }
  });

  it("keep the non-breaking space before French punctuation", async () => {
    const faults: string[] = [];
    for (const folder of await areas()) {
      for (const [key, text] of await readTexts(`${folder}/fr.json`)) {
        // URLs, `{{names}}`, code and event types are not words.
        const words = text.replaceAll(
          /\{\{[^}]*\}\}|`[^`]*`|\S+:\/\/\S*|[\w.]+:\w+|\S+: Bearer/gu,
          "x",
        );
        if (/(?<![\u00A0\u202F])[:;?»]|«(?![\u00A0\u202F])/u.test(words)) {
          faults.push(`${folder} ${key}: ${text}`);
        }
      }
    }
    expect(faults).to.deep.equal([]);
  });

  it("are all used", async () => {
    const sources = (await listFiles(["web"])).filter((file) => /\.(?:tsx?|html)$/u.test(file));
    const code = (await Promise.all(sources.map((file) => readFile(file, "utf8")))).join("\n");
    const wordsOf = (pattern: RegExp): Set<string> =>
      new Set([...code.matchAll(pattern)].map((match) => match[1] ?? ""));
    const named = wordsOf(/["`:.]([\w.]+)/gu);
    // Keys may be concatenated: `t(`state.${state}`)`, `texts[`${device}_why`]`.
    const starts = wordsOf(/[`:]([\w.]+)\$\{/gu);
    const ends = wordsOf(/\}([\w.]+)`/gu);
    const isMade = (key: string): boolean =>
      Array.from(key).some((_, at) => starts.has(key.slice(0, at)) || ends.has(key.slice(at)));
    const faults: string[] = [];
    for (const folder of await areas()) {
      for (const key of meaningsOf(await readTexts(`${folder}/en.json`))) {
        if (!named.has(key) && !isMade(key)) {
          faults.push(`${folder} ${key}`);
        }
      }
    }
    expect(faults).to.deep.equal([]);
  });

  it("are loaded with the page that shows them", async () => {
    const routes = (await listFiles(["web/console"])).filter((file) => file.endsWith("routes.ts"));
    const faults: string[] = [];
    let pages = 0;
    for (const file of routes) {
      const text = await readFile(file, "utf8");
      const loads = [...text.matchAll(/import\("([^"]+)"\)/gu)].map(([, path = ""]) =>
        relative("web/console", join(dirname(file), path)),
      );
      // If a page has several areas, its own one comes first.
      const calls = text.matchAll(/lazyPage\(\s*(?:\/\/.*\s*)?\[?"([^"]+)"/gu);
      const named = [...calls].map(([, area = ""]) => area);
      pages += loads.length;
      if (loads.map((path) => path.split("/")[0]).join() !== named.join()) {
        faults.push(`${file}: ${loads.join()} with the texts of ${named.join()}`);
      }
    }
    expect(pages).to.be.greaterThan(30);
    expect(faults).to.deep.equal([]);
  });
});
