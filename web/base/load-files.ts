/**
 * Loads the files of a script before it is imported: the bundler calls this for every `import()`. A
 * browser remembers for the life of the page that an import failed, so none may; a file that was
 * fetched once comes from the browser's cache.
 */
import { connection } from "./connection.ts";
import { ApiProblem } from "./problem.ts";

/** The file is gone since the platform was updated: the page has to be loaded again. */
export class NewVersionError extends Error {
  override readonly name = "NewVersionError";
}

/** The file can be had, and the browser does not take it: the page has to be loaded again. */
export class FailedImportError extends Error {
  override readonly name = "FailedImportError";
}

/** Whether loading may be tried again, without loading the whole page again. */
export function mayLoadLater(thrown: unknown): boolean {
  return thrown instanceof ApiProblem && thrown.status === 0;
}

/** @param files of the script, without a slash at the start */
export async function importWithFiles<T>(
  importScript: () => Promise<T>,
  files: readonly string[] = [],
): Promise<T> {
  await Promise.all(files.map((file) => loadFile(`/${file}`)));
  return importScript().catch((thrown: unknown) => {
    throw new FailedImportError("A script could not be run.", { cause: thrown });
  });
}

const loaded = new Map<string, Promise<void>>();

function loadFile(url: string): Promise<void> {
  const known = loaded.get(url);
  if (known !== undefined) {
    return known;
  }
  const load = url.endsWith(".css") ? linkStyles : fetchFile;
  const loading = isInDocument(url) ? Promise.resolve() : load(url);
  loaded.set(url, loading);
  loading.catch(() => loaded.delete(url));
  return loading;
}

/** What the page began with is there, or on its way already. */
function isInDocument(url: string): boolean {
  return [...document.querySelectorAll(`link[href="${url}"], script[src="${url}"]`)].length > 0;
}

async function fetchFile(url: string): Promise<void> {
  try {
    const response = await fetch(url);
    if (response.ok) {
      await response.arrayBuffer(); // whole, or it is not kept
      return;
    }
    if (response.status === 404 && (await isOutdated())) {
      throw new NewVersionError("A newer version of the page is there.");
    }
  } catch (thrown) {
    if (thrown instanceof NewVersionError) {
      throw thrown;
    }
    connection.reportAway();
  }
  throw unreachable();
}

/** Pages whose styles are not in one file. What failed to be fetched is not linked: it may come later. */
async function linkStyles(url: string): Promise<void> {
  await fetchFile(url);
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = url;
  await new Promise((resolve, reject) => {
    link.addEventListener("load", resolve);
    link.addEventListener("error", () => reject(unreachable()));
    document.head.append(link);
  });
}

/** Whether the platform serves the page with another script by now. */
async function isOutdated(): Promise<boolean> {
  const response = await fetch(location.pathname, {
    ...{ cache: "no-store", headers: { Accept: "text/html" } },
  });
  return response.ok && !(await response.text()).includes(entryScript());
}

function entryScript(): string {
  return document.querySelector('script[type="module"][src]')?.getAttribute("src") ?? "";
}

function unreachable() {
  return new ApiProblem({ status: 0 });
}
