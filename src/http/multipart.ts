/**
 * A form with one file, as browsers and `curl -F` send it. The file is streamed to a temporary file
 * with a random name, so that it is never in memory as a whole. Fields may precede or follow it.
 * The reader of a form must call `remove`, whatever happens to the request.
 */
import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import busboy, { type FileInfo } from "busboy";
import { invalidParameter, missingParameter, problem } from "../contracts/problems.ts";
import { toError } from "../platform/errors.ts";
import { bodyTooLarge, truncatedBody } from "./answer.ts";
import { allowSlowBody } from "./http-server.ts";
import { addTextField, mediaTypeOf, printable, type Fields } from "./input.ts";
import type { Upload } from "./route.ts";

export type MultipartForm = Readonly<{ fields: Fields; upload: Upload }>;

export type FormReader = {
  read(): Promise<MultipartForm>;
  /** Deletes the temporary file, if there is one. */
  remove(): Promise<void>;
};

/** Reads the form of a request, the file at most `maxFileBytes` long. */
export function createFormReader(
  request: IncomingMessage,
  maxFileBytes: number,
  folder: string = tmpdir(),
): FormReader {
  const path = join(folder, `sightline-upload-${randomUUID()}`);
  return {
    read: async () => {
      if (request.destroyed) {
        throw truncatedBody(); // the client left during authentication: no event will follow
      }
      const parser = createParser(request, maxFileBytes);
      const endPatience = allowSlowBody(request);
      try {
        const { fields, file } = await read(request, parser, { path, maxFileBytes });
        if (file === undefined) {
          throw missingParameter("file");
        }
        const { filename, mimeType } = file.info;
        const declaredType = mediaTypeOf(mimeType);
        return {
          fields,
          upload: { path, bytes: file.bytes, filename: cleanFilename(filename), declaredType },
        };
      } catch (thrown) {
        request.unpipe(parser);
        parser.destroy(); // also destroys the file's stream, which closes the temporary file
        endPatience();
        request.resume(); // else the rest would block the next request of this connection
        throw thrown;
      }
    },
    remove: () => rm(path, { force: true }),
  };
}

/** Maximum size of everything but the file: fields and part headers. */
const maxOtherBytes = 1024 * 1024;

type StoredFile = { path: string; info: FileInfo; bytes: number };

/** The first error of any stream ends the reading. */
function read(
  request: IncomingMessage,
  parser: busboy.Busboy,
  { path, maxFileBytes }: { path: string; maxFileBytes: number },
): Promise<{ fields: Fields; file: StoredFile | undefined }> {
  return new Promise((resolve, reject) => {
    const fields: Fields = Object.create(null) as Fields;
    let file: StoredFile | undefined;
    let written: Promise<void> = Promise.resolve();
    let total = 0;
    const guarded =
      <ReceivedPart extends unknown[]>(act: (...raw: ReceivedPart) => void) =>
      (...raw: ReceivedPart): void => {
        try {
          act(...raw);
        } catch (thrown) {
          reject(toError(thrown));
        }
      };
    // The parser passes undefined for a part without a name and for an unknown charset.
    const onField = (name = "", value: string | undefined, info: busboy.FieldInfo): void => {
      if (info.nameTruncated || info.valueTruncated) {
        throw tooLongField(name);
      }
      if (value === undefined || value.includes("\uFFFD")) {
        throw invalidParameter(printable(name), "encoding", "The form is not valid UTF-8.");
      }
      addTextField(fields, name, value);
    };
    /** A parser error about the form, or a disk error. */
    const onStreamError = (thrown: unknown): void =>
      reject(/unexpected end of form/iu.test(toError(thrown).message) ? malformed() : thrown);
    const onFile = (name = "", stream: Readable, info: FileInfo): void => {
      stream.on("error", onStreamError);
      if (name !== "file") {
        stream.resume();
        throw misplacedFile(name);
      }
      const stored = { path, info, bytes: 0 };
      file = stored;
      stream.on("data", (chunk: Buffer) => {
        stored.bytes += chunk.length;
        if (stored.bytes > maxFileBytes) {
          reject(bodyTooLarge(maxFileBytes));
        }
      });
      written = pipeline(stream, createWriteStream(path, { flags: "wx", mode: 0o600 }));
      written.catch(onStreamError);
    };
    request.on("data", (chunk: Buffer) => {
      total += chunk.length;
      if (total > maxFileBytes + maxOtherBytes) {
        reject(bodyTooLarge(maxFileBytes));
      }
    });
    const onAborted = (): void => reject(truncatedBody());
    request.once("aborted", onAborted).on("error", onAborted);
    parser
      .on("field", guarded(onField))
      .on("file", guarded(onFile))
      .once("filesLimit", () =>
        reject(invalidParameter("file", "length", "Send exactly one file.")),
      )
      .once("fieldsLimit", () => reject(invalidParameter("body", "length", "Too many fields.")))
      .on("error", () => reject(malformed())) // emitted at each error, and again on destroy
      .once("close", () => void written.then(() => resolve({ fields, file }), onStreamError));
    request.pipe(parser);
  });
}

function tooLongField(name: string): Error {
  return invalidParameter(printable(name), "length", "A name or value of the form is too long.");
}

function malformed() {
  return invalidParameter("body", "multipart", "The multipart body is malformed.");
}

function misplacedFile(name: string): Error {
  return invalidParameter(printable(name), "unknown", "The file must be in the part named file.");
}

const maxFields = 100;

const maxFieldBytes = 64 * 1024;

function createParser(request: IncomingMessage, maxFileBytes: number): busboy.Busboy {
  if (mediaTypeOf(request.headers["content-type"]) !== "multipart/form-data") {
    throw problem("unsupported_media_type", "The body must be multipart/form-data.");
  }
  if (request.headers["content-encoding"] !== undefined) {
    throw problem("unsupported_media_type", "The body must not have a Content-Encoding.");
  }
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: "utf8",
      limits: {
        files: 1,
        fileSize: maxFileBytes + 1, // one above the limit is enough to detect an excess
        fields: maxFields,
        fieldSize: maxFieldBytes,
        fieldNameSize: 100,
      },
    });
  } catch {
    throw invalidParameter(
      "body",
      "multipart",
      "The Content-Type of the multipart body has no boundary.",
    );
  }
}

/** The only three characters that browsers escape in file names. */
const escapes: Readonly<Record<string, string>> = { "%22": '"', "%0D": "\r", "%0A": "\n" };

/** The base name of the client's file name, as one line of at most 255 characters. */
export function cleanFilename(name = ""): string {
  const value = name.replaceAll(/%(?:22|0D|0A)/gu, (code) => escapes[code] ?? code);
  const last = value.split(/[/\\]/u).at(-1) ?? "";
  const clean = last.replace(/[\p{Cc}\p{Surrogate}]/gu, "").trim();
  return clean === "" || clean === "." || clean === ".." ? "file" : shortenFilename(clean);
}

const maxFilename = 255;

/** Longer suffixes are not extensions but names with a dot in them. */
const extension = /\.[^.]{1,16}$/u;

/** Shortens a name in the middle, because the extension tells the type. */
function shortenFilename(name: string): string {
  const [end = ""] = extension.exec(name) ?? [];
  const stem = [...name.slice(0, name.length - end.length)];
  return stem.slice(0, maxFilename - [...end].length).join("") + end;
}
