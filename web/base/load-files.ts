/**
 * Fetches the files of a chunk before its import: the bundler wraps every `import()` in this.
 * Browsers cache a failed import for the life of the page, so an import must not fail; files
 * fetched before come from the HTTP cache.
 */
import { connection } from "./connection.ts";
import { ApiProblem } from "./problem.ts";

/** A file is gone after a deployment: the page must be reloaded. */
export class NewVersionError extends Error {
  override readonly name = "NewVersionError";
}

/** The file can be fetched, but its import failed: the page must be reloaded. */
export class FailedImportError extends Error {
  override readonly name = "FailedImportError";
}

/** The file could not be fetched, while the platform may be reachable. */
export class FileProblem extends ApiProblem {}

/** Whether a retry can succeed without a page reload. */
export function mayLoadLater(thrown: unknown): boolean {
  return thrown instanceof ApiProblem && thrown.status === 0;
}

/** @param files of the chunk, without a leading slash */
export async function importWithFiles<T>(
  importScript: () => Promise<T>,
  files: readonly string[] = [],
): Promise<T> {
  await Promise.all(files.map((file) => loadFile(`/${file}`)));
  return importScript().catch((thrown: unknown) => {
    throw new FailedImportError("A script could not be loaded.", { cause: thrown });
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

/** The document already loads the file. */
function isInDocument(url: string): boolean {
  return [...document.querySelectorAll(`link[href="${url}"], script[src="${url}"]`)].length > 0;
}

async function fetchFile(url: string): Promise<void> {
  try {
    const response = await fetch(url);
    if (response.ok) {
      await response.arrayBuffer(); // only complete responses are cached
      return;
    }
    if (response.status === 404 && (await isOutdated())) {
      throw new NewVersionError("A newer version of the page is available.");
    }
  } catch (thrown) {
    if (thrown instanceof NewVersionError) {
      throw thrown;
    }
    connection.reportAway();
  }
  throw unreachable();
}

/**
 * For pages with several style sheets. A style sheet that failed to load is not linked, so that a
 * retry is possible.
 */
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

/** Whether the server now serves the page with another script. */
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
  return new FileProblem({ status: 0 });
}
