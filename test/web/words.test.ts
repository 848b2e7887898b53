import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { listFiles } from "../run/files.ts";

/** Words of which there is a better known one: one word for each thing, on every page. */
const avoided: Readonly<Record<"en" | "fr", readonly (readonly [RegExp, string])[]>> = {
  en: [
    [/\bgiven up\b/iu, "failed"],
    [/\btried again"/iu, "Retrying"],
    [/\bto be pulled\b/iu, "Ready to pull"],
    [/: "Being sent"/u, "Sending"],
    [/\{\{open\}\} not reachable/u, "paused by us"],
  ],
  fr: [
    [/récepteur/iu, "destinataire"],
    [/\bessais?\b/iu, "tentative"],
    [/chronologie/iu, "historique"],
    [/"Abandonnée?"/u, "Échouée"],
  ],
};

describe("the words of the pages", () => {
  for (const language of ["en", "fr"] as const) {
    it(`are those of the vocabulary, in ${language}`, async () => {
      const files = (await listFiles(["web"])).filter((file) =>
        file.endsWith(`/texts/${language}.json`),
      );
      expect(files.length).to.be.greaterThan(15);
      const found: string[] = [];
      for (const file of files) {
        const lines = (await readFile(file, "utf8")).split("\n");
        for (const [word, better] of avoided[language]) {
          found.push(
            ...lines
              .filter((line) => word.test(line))
              .map((line) => `${file}: ${line} → ${better}`),
          );
        }
      }
      expect(found).to.deep.equal([]);
    });
  }
});
