import { expect } from "chai";
import { countSegments as countOnServer } from "../../../../src/messages/model.ts";
import { countSegments } from "../../../../web/console/messages/segments.ts";

const texts = [
  ...["", "a", "Votre technicien passe à 10 h €", "Zoë & Nguyễn", "ç", "👩‍👩‍👧‍👦 à demain", "{[~]}\\|^"],
  ...[69, 70, 71, 134, 135, 153, 160, 161, 306, 307, 459].flatMap((length) => [
    "a".repeat(length),
    "ç".repeat(length),
    "€".repeat(length),
    `${"a".repeat(152)}€${"a".repeat(Math.max(0, length - 154))}`,
    `${"ă".repeat(66)}😀${"b".repeat(length)}`,
  ]),
];

describe("the SMS counter of the page", () => {
  it("counts segments and characters as the service does, in every alphabet", () => {
    for (const text of texts) {
      const { segments, characters, encoding } = countOnServer(text);
      const results = countSegments(text);
      expect([results.segments, results.encoding], JSON.stringify(text)).to.deep.equal([
        Math.max(1, segments),
        encoding,
      ]);
      if (encoding === "GSM-7") {
        expect(results.used, JSON.stringify(text)).to.equal(characters);
      }
    }
  });
});
