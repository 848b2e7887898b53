import { expect } from "chai";
import { addJpegComment } from "../../../../web/rooms/ui/jpeg-comment.ts";
import { readJpegComment } from "../../../support/jpeg-comment.ts";

const start = [0xff, 0xd8];
const jfif = [0xff, 0xe0, 0x00, 0x04, 0x01, 0x01];
const exif = [0xff, 0xe1, 0x00, 0x03, 0x09];
const scan = [0xff, 0xda, 0x00, 0x02, 0x55, 0xff, 0xd9];

describe("the comment of a JPEG", () => {
  const withComment = async (text: string, head: readonly number[] = jfif): Promise<Uint8Array> => {
    const blob = addJpegComment(Uint8Array.from([...start, ...head, ...scan]), text);
    expect(blob.type).to.equal("image/jpeg");
    return new Uint8Array(await blob.arrayBuffer());
  };

  it("follows what describes the picture, and leaves the rest as it was", async () => {
    for (const head of [[], jfif, [...jfif, ...exif]]) {
      const bytes = [...(await withComment("é1", head))];
      const segment = [0xff, 0xfe, 0x00, 0x05, 0xc3, 0xa9, 0x31];
      expect(bytes).to.deep.equal([...start, ...head, ...segment, ...scan]);
    }
  });

  it("takes text that is longer than a segment", async () => {
    const text = "é".repeat(100_000);
    expect(readJpegComment(await withComment(text))).to.equal(text);
  });
});
