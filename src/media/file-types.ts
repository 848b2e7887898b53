/** The allowed file types, detected from the content. Pure except for reading the first bytes. */
import { open } from "node:fs/promises";
import { fileTypeFromFile } from "file-type";
import { problem } from "../contracts/problems.ts";

/** Allowed types with their file extensions. */
const allowedTypes: Readonly<Record<string, readonly string[]>> = {
  "image/jpeg": ["jpg", "jpeg", "jpe", "jfif"],
  "image/png": ["png"],
  "image/apng": ["png", "apng"],
  "image/gif": ["gif"],
  "image/webp": ["webp"],
  "image/heic": ["heic", "heif"],
  "image/heif": ["heif", "heic"],
  "image/avif": ["avif"],
  "image/bmp": ["bmp"],
  "image/tiff": ["tif", "tiff"],
  "video/mp4": ["mp4", "m4v"],
  "video/x-m4v": ["m4v", "mp4"],
  "video/webm": ["webm"],
  "video/quicktime": ["mov", "qt"],
  "video/matroska": ["mkv"],
  "video/3gpp": ["3gp", "3gpp"],
  "video/3gpp2": ["3g2"],
  "video/mpeg": ["mpg", "mpeg"],
  "video/ogg": ["ogv", "ogg"],
  "audio/mpeg": ["mp3"],
  "audio/mp4": ["m4a", "mp4"],
  "audio/x-m4a": ["m4a", "mp4"],
  "audio/aac": ["aac"],
  "audio/ogg": ["ogg", "oga", "opus"],
  "audio/wav": ["wav"],
  "audio/flac": ["flac"],
  "audio/amr": ["amr"],
  "audio/webm": ["webm", "weba"],
  "application/pdf": ["pdf"],
  "application/rtf": ["rtf"],
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ["docx"],
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ["xlsx"],
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": ["pptx"],
  "application/vnd.oasis.opendocument.text": ["odt"],
  "application/vnd.oasis.opendocument.spreadsheet": ["ods"],
  "application/vnd.oasis.opendocument.presentation": ["odp"],
};

const unspecifiedTypes = new Set(["", "application/octet-stream", "binary/octet-stream"]);

export type UploadedFile = Readonly<{ path: string; filename: string; declaredType: string }>;

const mebibyte = 1024 * 1024;

/** Maximum size of any file. */
export const maxFileBytes = 100 * mebibyte;

/** The old Office formats share one container format; the extension tells them apart. */
const officeTypes: Readonly<Record<string, string>> = {
  doc: "application/msword",
  xls: "application/vnd.ms-excel",
  ppt: "application/vnd.ms-powerpoint",
};

/** Containers that may hold audio only, as browsers record it. */
const audioVariants: Readonly<Record<string, string>> = {
  "video/webm": "audio/webm",
  "video/mp4": "audio/mp4",
};

/**
 * Detects the type of a file from its bytes. Throws 415 if the type is not allowed, or if the file
 * name or the declared type contradict it: such a file pretends to be another type.
 */
export async function checkFileType(file: UploadedFile): Promise<string> {
  const found = (await fileTypeFromFile(file.path))?.mime.split(";")[0];
  const ending = endingOf(file.filename);
  if (found === undefined) {
    return textType(file);
  }
  const office = officeTypes[ending];
  if (found === "application/x-cfb" && office !== undefined) {
    return office;
  }
  const declared = bareType(file.declaredType);
  const type = audioVariants[found] === declared ? declared : found;
  if (allowedTypes[type] === undefined) {
    throw unsupportedType(`Files of the type ${type} are not accepted.`);
  }
  checkDeclared(type, declared);
  if (type === found) {
    checkEnding(type, file.filename);
  }
  return type;
}

/** Text formats have no magic bytes. */
const textTypes: Readonly<Record<string, string>> = {
  txt: "text/plain",
  log: "text/plain",
  csv: "text/csv",
  md: "text/markdown",
};

async function textType({ path, filename, declaredType }: UploadedFile): Promise<string> {
  const type = textTypes[endingOf(filename)];
  const declared = bareType(declaredType);
  const isDeclared = unspecifiedTypes.has(declared) || familyOf(declared) === "text";
  const sample = await readSample(path);
  if (type === undefined || !isDeclared || !isText(sample) || hasActiveContent(sample.toString())) {
    throw unsupportedType("Files of this type are not accepted.");
  }
  return type;
}

function bareType(declared: string): string {
  return declared.split(";")[0]?.trim().toLowerCase() ?? "";
}

const sampleBytes = 64 * 1024;

async function readSample(path: string): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sampleBytes), 0, sampleBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function isText(sample: Buffer): boolean {
  if (sample.includes(0)) {
    return false;
  }
  try {
    // The sample may end within a character.
    new TextDecoder("utf-8", { fatal: true }).decode(sample, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Content that a browser or a shell would execute, whatever the file name. */
function hasActiveContent(text: string): boolean {
  return (
    /^\s*(?:#!|<\?php|<\?xml|<!doctype|<!--)/iu.test(text) ||
    /<(?:html|head|body|script|svg|iframe|object|embed)[\s>/]/iu.test(text)
  );
}

function checkDeclared(type: string, declared: string): void {
  if (!unspecifiedTypes.has(declared) && familyOf(declared) !== familyOf(type)) {
    throw unsupportedType(`The file was sent as ${declared}, but its bytes are ${type}.`);
  }
}

function checkEnding(type: string, filename: string): void {
  const ending = endingOf(filename);
  const ofFamily = Object.entries(allowedTypes)
    .filter(([other]) => familyOf(other) === familyOf(type))
    .flatMap(([, endings]) => endings);
  if (ending !== "" && !allowedTypes[type]?.includes(ending) && !ofFamily.includes(ending)) {
    throw unsupportedType(`The file's name ends in .${ending}, but its bytes are ${type}.`);
  }
}

function endingOf(filename: string): string {
  return /\.([^.]+)$/u.exec(filename)?.[1]?.toLowerCase() ?? "";
}

function unsupportedType(why: string) {
  return problem("unsupported_media_type", why, {
    details: "Parameter file",
    errors: [{ field: "file", reason: "type" }],
  });
}

const maxImageBytes = 20 * mebibyte;

/** Throws 413 if the file exceeds the limit of its type. */
export function checkFileSize(type: string, bytes: number): void {
  const most = familyOf(type) === "image" ? maxImageBytes : maxFileBytes;
  if (bytes > most) {
    throw problem("too_large", `Files of the type ${type} may have at most ${most} bytes.`, {
      details: "Parameter file",
      errors: [{ field: "file", reason: "size" }],
    });
  }
}

function familyOf(type: string): string {
  return type.split("/")[0] ?? "";
}
