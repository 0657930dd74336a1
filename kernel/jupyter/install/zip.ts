import { Buffer } from "node:buffer";
import { crc32 } from "node:zlib";

/**
 * Writes files into a ZIP archive, uncompressed and without a date, so that the same files are the same archive.
 *
 * @param files The contents by path, in ASCII.
 * @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
export function zip(files: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const bodies: Uint8Array[] = [];
  const entries: Uint8Array[] = [];
  let offset = 0;
  for (const [path, content] of Object.entries(files)) {
    const name = Buffer.from(path, "ascii");
    const common = header(name, content);
    const local = Buffer.concat([words("504b0304"), common, name, content]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    entries.push(Buffer.concat([words("504b01021400"), common, tail, name]));
    bodies.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  words("504b0506").copy(end);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, directory, end]);
}

/** What the local header of a file and its entry in the directory have in common. */
function header(name: Buffer, content: Uint8Array): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  // The first of January 1980, the earliest date.
  fields.writeUInt16LE(0x21, 8);
  fields.writeUInt32LE(crc32(content), 10);
  fields.writeUInt32LE(content.length, 14);
  fields.writeUInt32LE(content.length, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

function words(hex: string): Buffer {
  return Buffer.from(hex, "hex");
}
