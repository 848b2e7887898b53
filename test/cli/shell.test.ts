import { expect } from "chai";
import { replaceControls, toJson } from "../../src/cli/shell.ts";

/** Clear screen in both encodings of CSI, a bell, and a bidi override. */
const hostile = "a\u001B[2Jb\u009B2Jc\u0007d\u007Fe\u202Ef\u2067g\tä\nh";

describe("terminal output", () => {
  it("replaces control characters of foreign text", () => {
    expect(replaceControls(hostile)).to.equal("a�[2Jb�2Jc�d�e�f�g\tä\nh");
  });

  it("escapes control characters in JSON, with the same value", () => {
    const text = toJson({ [hostile]: hostile }, 2);
    expect(text).to.match(/^[\n\p{L}\p{P}\p{S}\p{N} ]*$/u);
    expect(JSON.parse(text)).to.deep.equal({ [hostile]: hostile });
  });
});
