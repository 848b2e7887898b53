/** The files that pages load: named by their content, so they never change and are kept for ever. */
import { basename } from "node:path";
import type { Request, RequestHandler, Response } from "express";
import { problem } from "../contracts/problems.ts";
import type { BuiltPages } from "./built.ts";

const fileName = /^[\w.-]{1,200}$/u;

/** `/assets/:file`, and the few files with a fixed name. */
export function serveBuiltFile(
  built: BuiltPages,
  { folder, cacheControl }: { folder: string; cacheControl: string },
): RequestHandler {
  return async (request, response) => {
    const name = String(request.params["file"] ?? basename(request.path));
    const file = `${folder}${name}`;
    const form =
      fileName.test(name) && !name.startsWith(".")
        ? await chooseForm(built, file, request)
        : undefined;
    if (form?.path === undefined) {
      throw problem("not_found", "There is nothing at this path.");
    }
    response.set({
      "Cache-Control": cacheControl,
      "X-Content-Type-Options": "nosniff",
      "Cross-Origin-Resource-Policy": "cross-origin",
    });
    await send(response, { path: form.path, encoding: form.name, file });
  };
}

const encodings = [
  { name: "br", suffix: ".br" },
  { name: "gzip", suffix: ".gz" },
] as const;

/** The file as the client likes it best: packed when it was built, where that is worth it. */
async function chooseForm(built: BuiltPages, file: string, request: Request) {
  const accepted = encodings.filter(({ name }) => request.acceptsEncodings(name) === name);
  const packed = await Promise.all(
    accepted.map(async ({ name, suffix }) => ({
      name,
      path: await built.find(`${file}${suffix}`),
    })),
  );
  return (
    packed.find(({ path }) => path !== undefined) ?? {
      name: undefined,
      path: await built.find(file),
    }
  );
}

async function send(
  response: Response,
  { path, encoding, file }: { path: string; encoding: string | undefined; file: string },
): Promise<void> {
  response.vary("Accept-Encoding").type(typeOf(file));
  if (encoding !== undefined) {
    response.set("Content-Encoding", encoding);
  }
  await new Promise<void>((resolve, reject) => {
    response.sendFile(path, { cacheControl: false, dotfiles: "allow" }, (error) => {
      // A browser that went on to another page is no fault.
      if (error && !response.headersSent && !response.destroyed) {
        // What is answered instead is not packed.
        response.removeHeader("Content-Encoding");
        reject(error);
      } else {
        resolve();
      }
    });
  });
}

function typeOf(file: string): string {
  return basename(file).replace(/^.*\./u, ".");
}
