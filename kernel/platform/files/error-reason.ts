const READING: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "its folder is a file",
  EISDIR: "it is a folder",
  EACCES: "permission is denied",
};

const WRITING: Readonly<Record<string, string>> = {
  ENOENT: "its folder does not exist",
  ENOTDIR: "its folder is a file",
  EISDIR: "it is a folder; name a file",
  EACCES: "permission is denied",
  ENOSPC: "the disk is full",
  EROFS: "the file system is read-only",
};

/** Why a file cannot be read, in words, from an error of the operating system. */
export function readingReason(error: unknown): string {
  return reasonIn(READING, error);
}

/** Why a file cannot be written. */
export function writingReason(error: unknown): string {
  return reasonIn(WRITING, error);
}

function reasonIn(reasons: Readonly<Record<string, string>>, error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return reasons[code] ?? message;
}
