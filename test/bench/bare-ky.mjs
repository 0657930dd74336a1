// What a person would write by hand: requests in turn with ky, one printed line each.
import { readFileSync } from "node:fs";
import ky from "ky";

const [file, count] = process.argv.slice(2);
const base = readFileSync(file, "utf8");
for (let index = 0; index < Number(count); index++) {
  const url = `${base}/users/${index}`;
  const start = performance.now();
  const response = await ky(url, { headers: { Accept: "application/json" }, retry: 0 });
  const text = await response.text();
  console.log(
    "GET",
    url,
    response.status,
    `${Math.round(performance.now() - start)} ms`,
    text.length,
  );
}
