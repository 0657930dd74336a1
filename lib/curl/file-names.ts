/** The types that curl knows, by the ends of file names. */
const OF_CURL = `
gif image/gif  jpg image/jpeg  jpeg image/jpeg  png image/png  svg image/svg+xml  txt text/plain  htm text/html
html text/html  pdf application/pdf  xml application/xml`;

/** Further ones, and where HTTPie says something else. */
const OTHERS = `
xml text/xml  css text/css  csv text/csv  tsv text/tab-separated-values  md text/markdown  ics text/calendar
vcf text/vcard  js text/javascript  mjs text/javascript  json application/json  jsonld application/ld+json
yaml application/yaml  yml application/yaml  rtf application/rtf  wasm application/wasm  zip application/zip
gz application/gzip  tar application/x-tar  7z application/x-7z-compressed  doc application/msword
docx application/vnd.openxmlformats-officedocument.wordprocessingml.document
odt application/vnd.oasis.opendocument.text  ods application/vnd.oasis.opendocument.spreadsheet
xls application/vnd.ms-excel  xlsx application/vnd.openxmlformats-officedocument.spreadsheetml.sheet
ppt application/vnd.ms-powerpoint  bin application/octet-stream
pptx application/vnd.openxmlformats-officedocument.presentationml.presentation  epub application/epub+zip
avif image/avif  bmp image/bmp  heic image/heic  ico image/vnd.microsoft.icon  tif image/tiff  tiff image/tiff
webp image/webp  aac audio/aac  flac audio/flac  m4a audio/mp4  mp3 audio/mpeg  oga audio/ogg  ogg audio/ogg
opus audio/ogg  wav audio/x-wav  avi video/x-msvideo  mov video/quicktime  mp4 video/mp4  mpeg video/mpeg
mpg video/mpeg  webm video/webm  otf font/otf  ttf font/ttf  woff font/woff  woff2 font/woff2`;

function read(table: string): ReadonlyMap<string, string> {
  const pairs = Array.from(table.matchAll(/(\S+) (\S+\/\S+)/g), ([, end, type]) => [end, type]);
  return new Map(pairs as [string, string][]);
}

const CURL_TYPES = read(OF_CURL);
const TYPES = read(OF_CURL + OTHERS);

/**
 * Returns the media type of a file by the end of its name (https://www.iana.org/assignments/media-types).
 *
 * @param isForCurl Whether only the types that curl knows count.
 * @returns `undefined` for an end that is not known.
 */
export function typeOfFile(name: string, isForCurl = false): string | undefined {
  const end = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return (isForCurl ? CURL_TYPES : TYPES).get(end);
}

/** The name of a file in its path; a backslash separates in paths that are those of Windows alone. */
export function nameOfFile(path: string): string {
  return path.replace(/^(?:[A-Za-z]:|\.{0,2})\\/.test(path) ? /^.*[/\\]/ : /^.*\//, "");
}
