/** Started by `ocr-engine.ts`: reads one picture, answers, ends. */
import { readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createWorker, OEM } from "tesseract.js";
import type { OcrJob, OcrResult } from "./ocr-engine.ts";

const languages = ["eng", "fra"];

/** The reader wants the data of all languages in one folder; nothing is loaded from elsewhere. */
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
    errorHandler: () => undefined, // the rejected promise says it too
  });
  const { data } = await worker.recognize(
    await readFile(picture),
    rectangle === undefined ? {} : { rectangle: { ...rectangle } },
  );
  return data.text;
}

// Whoever would kill it after the time limit is gone.
process.once("disconnect", () => process.exit(1));

process.once("message", (job: OcrJob) => {
  const answer = (result: OcrResult): void => {
    process.send?.(result, () => process.exit(0)); // its thread would keep the process alive
  };
  read(job).then(
    (text) => answer({ text }),
    (thrown: unknown) => answer({ error: String(thrown) }),
  );
});
