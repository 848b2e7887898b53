import { expect } from "chai";
import { ambiguousPartsOf } from "../support/slow-patterns.ts";
import { aTenant } from "../support/tenant.ts";
import { useWholeApi } from "../support/whole-api.ts";

/** The `pattern` keywords of a schema. What only describes it to clients is not used. */
function patternsIn(schema: unknown): string[] {
  if (Array.isArray(schema)) {
    return schema.flatMap(patternsIn);
  }
  return typeof schema === "object" && schema !== null
    ? Object.entries(schema).flatMap(([name, value]) =>
        name === "pattern" && typeof value === "string"
          ? [value]
          : name === "described"
            ? []
            : patternsIn(value),
      )
    : [];
}

describe("the patterns of the input", () => {
  const api = useWholeApi();

  it("read each text once, whatever it is", () => {
    const used = api.routes.flatMap(({ params, query, body }) => patternsIn([params, query, body]));
    const patterns = [...new Set(used)];
    expect(patterns).to.have.length.above(15);
    const slow = patterns.flatMap((source) => {
      const parts = ambiguousPartsOf({ source, flags: "u" });
      return parts.length === 0 ? [] : [{ source, parts }];
    });
    expect(slow).to.deep.equal([]);
  });

  it("would be reported if they did not", () => {
    expect(ambiguousPartsOf({ source: "^[^\\n]*[a-z][^\\n]*$", flags: "u" })).to.not.deep.equal([]);
    expect(ambiguousPartsOf({ source: "^( *, *)*$", flags: "u" })).to.not.deep.equal([]);
  });

  it("refuse the largest body at once, also from somebody without an account", async () => {
    const answer = await api.call(`POST /api/guest/experts/${"A".repeat(22)}/token`, {
      json: { name: `${"a".repeat(250_000)}\u0001` },
    });
    expect(answer.status).to.equal(400);
    expect(answer.body.errors).to.deep.equal([{ field: "name", reason: "length" }]);
  });

  it("do not parse a host that is longer than any", async () => {
    const { members } = await aTenant(api.db);
    const host = Array.from({ length: 80_000 }, (_, n) =>
      String.fromCodePoint(0x4e00 + (n % 20_000)),
    );
    for (const [length, reason] of [
      [80_000, "length"],
      [2_000, "format"],
    ] as const) {
      const answer = await api.call("PATCH /api/users/me", {
        token: members.agent.token,
        json: { photo_url: `http://${host.slice(0, length).join("")}` },
      });
      expect(answer.status).to.equal(400);
      expect(answer.body.errors).to.deep.equal([{ field: "photo_url", reason }]);
    }
  });
});
