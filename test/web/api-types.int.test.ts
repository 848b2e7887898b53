import { readFile, writeFile } from "node:fs/promises";
import { expect } from "chai";
import openapiTypescript, { astToString, type OpenAPI3 } from "openapi-typescript";
import { format } from "oxfmt";
import { describeApi } from "../../src/http/openapi/document.ts";
import { useWholeApi } from "../support/whole-api.ts";

const file = "web/base/api-types.ts";

const note =
  "/** Made from the operations that are served: `npm run api-types`. Not edited by hand. */\n";

describe("the API types used by the pages", () => {
  const api = useWholeApi();

  it("match the operations that are served", async () => {
    const document = JSON.parse(
      JSON.stringify(describeApi({ routes: api.routes, baseUrl: "http://localhost" })),
    ) as OpenAPI3;
    const types = astToString(await openapiTypescript(document));
    const { code: text } = await format("api-types.ts", note + types, { printWidth: 100 });
    if (process.env["WRITE_API_TYPES"] === "1") {
      await writeFile(file, text);
    }
    expect(text === (await readFile(file, "utf8")), "run npm run api-types").to.equal(true);
  });
});
