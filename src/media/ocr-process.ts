/** Child process of `ocr-engine.ts`: reads one picture, answers, and exits. */
import { readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createWorker, OEM } from "tesseract.js";
import type { OcrJob, OcrResult } from "./ocr-engine.ts";

const languages = ["eng", "fra"];

/** Tesseract needs the data of all languages in one folder. Nothing is downloaded. */
async function linkLanguages(folder: string): Promise<void> {
  const { resolve } = createRequire(import.meta.url);
  for (const language of languages) {
    const data = dirname(resolve(`@tesseract.js-data/${language}/package.json`));
    const file = `${language}.traineddata.gz`;
    await symlink(join(data, "4.0.0_best_int", file), join(folder, file));
  }
}

async function read({ folder, picture, rectangle }: OcrJob): Promise<string> {
  await linkLanguages(folder);
  const worker = await createWorker(languages, OEM.LSTM_ONLY, {
    langPath: folder,
    cacheMethod: "none",
    gzip: true,
    errorHandler: () => undefined, // the promise rejects too
  });
  const { data } = await worker.recognize(
    await readFile(picture),
    rectangle === undefined ? {} : { rectangle: { ...rectangle } },
  );
  return data.text;
}

// The parent, which enforces the time limit, is gone.
process.once("disconnect", () => process.exit(1));

process.once("message", (job: OcrJob) => {
  const answer = (result: OcrResult): void => {
    process.send?.(result, () => process.exit(0)); // the worker thread would keep the process alive
  };
  read(job).then(
    (text) => answer({ text }),
    (thrown: unknown) => answer({ error: String(thrown) }),
  );
});
