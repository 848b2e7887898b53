import { expect } from "chai";
import { expectProblem } from "../support/problem-shape.ts";
import { createWriteMarks } from "../support/snapshot.ts";
import { useWholeApi, type ApiAnswer } from "../support/whole-api.ts";
import { publicRoutes, type PublicCall } from "./routes/public.ts";
import { pathOf } from "./targets.ts";
import { isWriting, textOf, useFixture } from "./fixture.ts";

describe("operations without a token", () => {
  const api = useWholeApi();
  const fixture = useFixture(api);
  let marks: () => Promise<string>;
  before("list the tables", async () => {
    marks = await createWriteMarks(api.db);
  });

  for (const [operation, kind] of Object.entries(publicRoutes)) {
    describe(operation, () => {
      const send = ({ ids = {}, call = {} }: PublicCall, token?: string): Promise<ApiAnswer> => {
        const [method = "", path = ""] = operation.split(" ");
        return api.call(`${method} /api${pathOf(path, ids)}`, { ...call, token });
      };

      it(`answers ${kind.status}, and ignores a token`, async () => {
        for (const token of [undefined, "invented", fixture.get.foreign.members.admin.token]) {
          const made = await kind.make(fixture.get);
          const before = await marks();
          const answer = await send(made, token);
          expect(answer.status, answer.text).to.equal(kind.status);
          const hasWritten = (await marks()) !== before;
          expect(hasWritten, "wrote").to.equal(isWriting(operation, kind));
          expect(textOf(answer)).to.not.contain(fixture.get.foreign.mark);
        }
      });

      for (const [wrong, end] of Object.entries(kind.refusals)) {
        it(`rejects ${wrong} and changes nothing`, async () => {
          const made = await kind.make(fixture.get, wrong);
          const before = await marks();
          expectProblem(await send(made), end);
          expect(await marks()).to.equal(before);
        });
      }
    });
  }
});
