import { readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { expect } from "chai";
import { pages, views } from "../../../web/build/pages.ts";
import { listFiles } from "../../run/files.ts";

/** The pages in the routes of the console, each with the page that contains it. */
async function routedPages(): Promise<{ module: string; frame: string | undefined }[]> {
  const files = (await listFiles(["web/console"])).filter((file) => file.endsWith("/routes.ts"));
  const found = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(file, "utf8");
      const moduleIn = (part: string): string | undefined => {
        const path = /import\("(\.[^"]+)"\)/u.exec(part)?.[1];
        return path && normalize(join(dirname(file), path)).replace(/^web\//u, "");
      };
      const parts = text.split(/^const /mu).map((part) => ({ part, module: moduleIn(part) }));
      return parts.flatMap(({ part, module }) => {
        const parent = /getParentRoute: \(\) => (\w+)/u.exec(part)?.[1] ?? "";
        const frame = parts.find((one) => one.part.startsWith(`${parent} =`))?.module;
        return module === undefined ? [] : [{ module, frame }];
      });
    }),
  );
  return found.flat();
}

describe("the page entries", () => {
  it("are each measured by some first load, so that none exceeds its limit unnoticed", () => {
    const folders = pages.map(({ folder }) => folder);
    const measured = new Set(views.map(({ folder }) => folder));
    expect(folders.filter((folder) => !measured.has(folder))).to.deep.equal([]);
    expect([...measured].filter((folder) => !folders.includes(folder))).to.deep.equal([]);
  });

  it("have a size limit for each console route, including its layout", async () => {
    const routed = await routedPages();
    const frames = new Set(routed.map(({ frame }) => frame));
    const unbounded = routed
      .filter(({ module }) => !frames.has(module))
      .filter(({ module, frame }) => {
        const wanted = [module, ...(frame === undefined ? [] : [frame])];
        return !views.some(({ comesToo = [] }) => wanted.every((one) => comesToo.includes(one)));
      });
    expect(routed.length).to.be.greaterThan(30);
    expect(frames).to.include("console/settings/layout.tsx");
    expect(unbounded).to.deep.equal([]);
  });
});
