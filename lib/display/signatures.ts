import { toBinary } from "../exchange/mod.ts";

/** Files by bytes at their beginning, as Latin-1 text, or at an offset; the first match counts. */
const SIGNATURES: readonly (readonly [name: string, bytes: string, offset?: number])[] = [
  ["gzip", "\x1f\x8b"],
  ["PNG", "\x89PNG\r\n"],
  ["JPEG", "\xff\xd8\xff"],
  ["GIF", "GIF8"],
  ["WebP", "WEBP", 8],
  ["WAV", "WAVE", 8],
  ["AVIF", "ftypavi", 4],
  ["HEIC", "ftyphei", 4],
  ["MP4", "ftyp", 4],
  ["Ogg", "OggS\0"],
  ["FLAC", "fLaC\0"],
  ["MP3", "ID3"],
  ["MP3", "\xff\xfb"],
  ["WebM or Matroska", "\x1a\x45\xdf\xa3"],
  ["PDF", "%PDF-"],
  ["zip", "PK\x03\x04"],
  ["zip", "PK\x05\x06"],
  ["Excel or Word of before 2007", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"],
  ["SQLite", "SQLite format 3\0"],
  ["Zstandard", "\x28\xb5\x2f\xfd"],
  ["xz", "\xfd7zXZ\0"],
  ["bzip2", "BZh"],
  ["7-Zip", "7z\xbc\xaf\x27\x1c"],
  ["tar", "ustar", 257],
  ["WebAssembly", "\0asm"],
  ["WOFF", "wOF"],
  ["TIFF", "II\x2a\0"],
  ["TIFF", "MM\0\x2a"],
  ["icon", "\0\0\x01\0"],
  ["Parquet", "PAR1"],
  ["Avro", "Obj\x01"],
  ["ELF", "\x7fELF"],
  ["DER", "\x30\x82"],
];

/** Documents that are zip files, by the folder within. */
const ZIPPED: Readonly<Record<string, string>> = {
  "xl/": "Excel (xlsx)",
  "word/": "Word (docx)",
  "ppt/": "PowerPoint (pptx)",
};

/** What binary data is by its beginning; `undefined` if that says nothing. */
export function signatureOf(head: Uint8Array): string | undefined {
  const text = toBinary(head);
  const name = SIGNATURES.find(([, bytes, offset = 0]) => text.startsWith(bytes, offset))?.[0];
  if (name !== "zip") return name;
  return Object.entries(ZIPPED).find(([folder]) => text.includes(folder))?.[1] ?? name;
}
