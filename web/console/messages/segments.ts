/** Number of SMS segments of a text, by the API's rules. Pure. */

export type Segments = Readonly<{
  segments: number;
  /** Used characters. */
  used: number;
  /** Capacity of the current segments. */
  places: number;
  encoding: "GSM-7" | "UCS-2";
}>;

const sizes = { "GSM-7": { one: 160, part: 153 }, "UCS-2": { one: 70, part: 67 } } as const;

export function countSegments(text: string): Segments {
  const { encoding, sizes: pieces } = piecesOf(text);
  const used = pieces.reduce((sum, piece) => sum + piece, 0);
  const { one, part } = sizes[encoding];
  const segments = used <= one ? 1 : partsOf(pieces, part);
  return { segments, used, places: segments === 1 ? one : segments * part, encoding };
}

const basic = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZ" +
    "ÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);

/** Characters of the GSM extension table take two places. */
const extended = new Set("\f^{}\\[~]|€");

/** Units that must not be split between segments, with their sizes. */
function piecesOf(text: string): Readonly<{ encoding: Segments["encoding"]; sizes: number[] }> {
  const characters = [...text];
  if (characters.every((one) => basic.has(one) || extended.has(one))) {
    return { encoding: "GSM-7", sizes: characters.map((one) => (extended.has(one) ? 2 : 1)) };
  }
  const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text);
  return { encoding: "UCS-2", sizes: [...graphemes].map(({ segment }) => segment.length) };
}

/** Number of segments of this size for the units, in order. */
function partsOf(pieces: readonly number[], size: number): number {
  let parts = 1;
  let filled = 0;
  for (const piece of pieces) {
    if (filled + piece > size) {
      parts += 1;
      filled = 0;
    }
    filled += piece;
  }
  return parts;
}
