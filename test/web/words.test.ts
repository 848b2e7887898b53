import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { listFiles } from "../run/files.ts";

/** Words for which there is a better known one, so that pages use one word for each thing. */
const avoided: Readonly<Record<"en" | "fr", readonly (readonly [RegExp, string])[]>> = {
  en: [
    [/\bgiven up\b/iu, "failed"],
    [/\btried again"/iu, "Retrying"],
    [/\bto be pulled\b/iu, "Ready to pull"],
    [/: "Being sent"/u, "Sending"],
    [/\{\{open\}\} not reachable/u, "paused by us"],
    [/\bset aside\b/iu, "dead-lettered"],
    [/: ".*\blanes?\b/iu, "queue"],
    [/\bno longer kept\b/iu, "no longer stored"],
    [/\bmean of\b/iu, "average"],
    [/: ".*\bsomebody\b/iu, "someone"],
    [/: ".*\beverybody\b/iu, "everyone"],
    [/: ".*\bnobody\b/iu, "no one"],
    [/: ".*\w's\b/u, "the apostrophe ’"],
  ],
  fr: [
    [/récepteur/iu, "destinataire"],
    [/\bessais?\b/iu, "tentative"],
    [/chronologie/iu, "historique"],
    [/"Abandonnée?"/u, "Échouée"],
    [/entrées? d’historique/iu, "événement de l’historique"],
    [/Rejouer|\brejeux?\b/u, "Renvoyer, renvoi"],
    [/mandataire/iu, "proxy"],
    [/ à l’assistance/iu, "support"],
    [/\bId\. /u, "ID"],
    [/: ".*\bstatuts?\b/iu, "état"],
    [/: "Discussion"/u, "Chat"],
  ],
};

describe("the words of the pages", () => {
  for (const language of ["en", "fr"] as const) {
    it(`follow the vocabulary, in ${language}`, async () => {
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
