import { listFiles } from "../run/files.ts";
import { fencesOf, readPage } from "./markdown.ts";

/** The section of the API reference about one operation. */
export type OperationDocs = Readonly<{
  operation: string;
  page: string;
  /** The text between this heading and the next one. */
  text: string;
  /** The introduction of the chapter, which applies to all of its operations. */
  chapter: string;
}>;

export type ApiDocs = Readonly<{
  pages: ReadonlyMap<string, string>;
  /** All pages, concatenated. */
  whole: string;
  operations: readonly OperationDocs[];
}>;

const operationHeading = /^### `(?<operation>[A-Z]+ \/api[^`]*)`$/u;

function readOperations(page: string, text: string): OperationDocs[] {
  let chapter = "";
  return text.split(/^(?=##? |### `[A-Z]+ \/api)/mu).flatMap((part) => {
    const [heading = ""] = part.split("\n", 1);
    const operation = operationHeading.exec(heading)?.groups?.["operation"];
    if (operation === undefined) {
      chapter = part;
      return [];
    }
    return [{ operation, page, text: part, chapter }];
  });
}

export async function readApiDocs(): Promise<ApiDocs> {
  const names = (await listFiles(["docs/api"])).filter((file) => file.endsWith(".md"));
  const pages = new Map<string, string>();
  for (const name of names) {
    pages.set(name, await readPage(name));
  }
  return {
    pages,
    whole: [...pages.values()].join("\n"),
    operations: [...pages].flatMap(([name, text]) => readOperations(name, text)),
  };
}

/** The example response of an operation; undefined if it has none. */
export function exampleOf({ text }: OperationDocs): unknown {
  const [example] = fencesOf(text.slice(text.indexOf("\nResponse 2")), "json");
  return example === undefined ? undefined : JSON.parse(example);
}
