import { Transform } from "node:stream";
import { StringDecoder } from "node:string_decoder";

/** A line that never ends is passed on in pieces, so that it cannot fill the memory. */
const maxLineLength = 64 * 1024;

/** Whole lines, each behind a prefix; what is left without a line end comes at the end. */
export function prefixLines(prefix: string): Transform {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  const take = (text: string): string => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > maxLineLength) {
      lines.push(rest);
      rest = "";
    }
    return lines.map((line) => `${prefix}${line}\n`).join("");
  };
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => done(null, take(decoder.write(chunk))),
    flush: (done) => {
      const last = take(decoder.end());
      done(null, last + (rest === "" ? "" : `${prefix}${rest}\n`));
    },
  });
}
