import { describe, expect, test } from "vitest";
import { type ClientOptions, createClient } from "../../lib/mod.ts";

const now = (): Date => new Date("2024-01-31T23:05:09.042Z");

function path(placeholder: string, options: ClientOptions = {}): string {
  return createClient({ now, ...options })
    .render(`GET http://x/${placeholder}`)
    .url.slice(9);
}

describe("generated values", () => {
  test.each<[placeholder: string, text: string]>([
    ["{{$timestamp}}", "1706742309"],
    ["{{$timestamp -3 h}}", "1706731509"],
    ["{{$timestamp 2 d}}", "1706915109"],
    ["{{$timestampMs}}", "1706742309042"],
    ["{{$timestampMs -42 ms}}", "1706742309000"],
    ["{{$isoTimestamp}}", "2024-01-31T23:05:09.042Z"],
    ["{{$datetime}}", "2024-01-31T23:05:09.042Z"],
    ["{{$datetime iso8601}}", "2024-01-31T23:05:09.042Z"],
    ["{{$datetime iso8601 1 y}}", "2025-01-31T23:05:09.042Z"],
    ["{{$datetime iso8601 1 M}}", "2024-02-29T23:05:09.042Z"],
    ["{{$datetime iso8601 -1 Q}}", "2023-10-31T23:05:09.042Z"],
    ["{{$datetime iso8601 1 w}}", "2024-02-07T23:05:09.042Z"],
    ["{{$datetime iso8601 -42 ms}}", "2024-01-31T23:05:09.000Z"],
    ["{{$datetime rfc1123}}", "Wed, 31 Jan 2024 23:05:09 GMT"],
    ["{{$datetime 'DD-MM-YYYY' 1 y}}", "31-01-2025"],
    ['{{$datetime "YY/M/D dddd MMMM ddd MMM"}}', "24/1/31 Wednesday January Wed Jan"],
    ['{{$datetime "hh:mm:ss.SSS A [at] Z ZZ a"}}', "11:05:09.042 PM at +00:00 +0000 pm"],
    ['{{$datetime "yyyy-MM-dd HH:mm:ss.fff tt"}}', "2024-01-31 23:05:09.042 PM"],
    [`{{$datetime "dd'd'/M/yyyy dddd zzz"}}`, "31d/1/2024 Wednesday +00:00"],
    ['{{$datetime "x" 1 d}}/{{$datetime "dd.MM.yy"}}', "1706828709042/31.01.24"],
    ["{{$randomInt 5 6}}", "5"],
    ["{{$random.integer(7, 8)}}", "7"],
  ])("%s gives %s", (placeholder, text) => {
    expect(path(placeholder)).toBe(text);
  });

  test.each<[placeholder: string, pattern: RegExp]>([
    ["{{$uuid}}", /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/],
    ["{{$guid}}", /^[\da-f-]{36}$/],
    ...["{{$uuidv7}}", "{{$uuid7}}", "{{$random.uuidv7}}"].map((name): [string, RegExp] => [
      name,
      /^018d61c4-e0b2-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
    ]),
    ["{{$random.uuid}}", /^[\da-f-]{36}$/],
    ["{{$randomInt}}", /^\d{1,4}$/],
    ["{{$randomInt 1 10}}", /^[1-9]$/],
    ["{{$randomInt -5 -2}}", /^-[345]$/],
    ["{{$random.integer}}", /^\d{1,4}$/],
    ["{{$random.integer(3)}}", /^[012]$/],
    ["{{$random.float(0, 1)}}", /^0\.?\d*$/],
    ["{{$random.alphabetic(12)}}", /^[A-Za-z]{12}$/],
    ["{{$random.alphanumeric(9)}}", /^\w{9}$/],
    ["{{$random.hexadecimal(6)}}", /^[\dA-F]{6}$/],
    ["{{$date}}", /^2024-0[12]-\d\d$/],
    ["{{$date 1 y}}", /^2025-0[12]-\d\d$/],
    ["{{$random.email}}", /^[a-z]{8}@[a-z]{6}\.example$/],
    ["{{$localDatetime iso8601}}", /^2024-0[12]-\d\dT\d\d:\d\d:09[+-]\d\d:\d\d$/],
    ["{{$localDatetime rfc1123}}", /^\w{3}, \d\d \w{3} 2024 \d\d:\d\d:09 [+-]\d{4}$/],
  ])("%s looks like %s, with a seed and without", (placeholder, pattern) => {
    expect(path(placeholder)).toMatch(pattern);
    expect(path(placeholder, { seed: "any" })).toMatch(pattern);
  });

  test.each<[placeholder: string, message: string]>([
    ["{{$uid}}", 'there is no generated value "$uid" (line 1, column 14). Did you mean'],
    ["{{$uuid 4}}", 'it takes no arguments, found "4"'],
    ["{{$timestamp 3}}", '"3" is not an offset'],
    ["{{$timestamp 3 x}}", '"3 x" is not an offset'],
    ["{{$timestamp 99999999999 y}}", "is out of the range of dates"],
    ['{{$datetime "YYYY u"}}', '"u" has no meaning in a pattern of Day.js'],
    ["{{$uuidv7 4}}", 'it takes no arguments, found "4"'],
    ["{{$datetime tomorrow}}", '"tomorrow" is not a format'],
    ["{{$randomInt 1}}{{$randomInt a b}}", '"a b" are not bounds'],
    ["{{$randomInt 6 5}}", "there is no integer from 6 to below 5"],
    ["{{$random.alphabetic(0)}}", '"0" is not a length'],
    ["{{$random.alphabetic(99999999)}}", "is not a length"],
    ["{{$random.float(2, 1)}}", "are not bounds"],
    ["{{$random.float(0, Infinity)}}", "are not bounds"],
    ["{{$date tomorrow}}", '"tomorrow" is not an offset'],
    ["{{$projectRoot}}", "only JetBrains' editor supports it"],
    ["{{$exampleServer}}", "only JetBrains' editor supports it"],
    ["{{$timestampISO8601 - 90m}}", "only resterm supports it"],
    ["{{$fake.company}}", "$faker.person.fullName"],
    ["{{$aadToken}}", "VS Code's REST Client logs in to Azure"],
    ["{{$oidcAccessToken}}", "OpenID Connect"],
    ["{{$global.token}}", "no script has set it"],
    ["{{$global}}", "Write $global.name"],
    ["{{$USER}}", "{{$env.USER}}"],
    ["{{$processEnv %stage}}", 'there is no variable "stage", whose value would be the name'],
    ["{{$pick one? $value: a, b}}", "asked for when the request is sent"],
    ["{{$dotEnv A}}", "no environment files have been read"],
    ["{{$env.HOME}}", "does not know the environment of the process"],
    ["{{$dotenv A}}", "no environment files have been read"],
    ["{{$faker.person.firstName}}", "nothing loads it"],
    ["{{$random.name.firstName}}", "name.firstName is realistic data"],
    ["{{$random}}", '"" is not a name'],
    ["{{$constructor}}", 'there is no generated value "$constructor"'],
  ])("%s says %s", (placeholder, message) => {
    expect(() => path(placeholder)).toThrow(message);
  });

  test("are numbers in JSON, and texts in strings", () => {
    const { body } = createClient({ now }).render(
      'POST http://x\n\n{"at": {{$timestamp}}, "n": {{$randomInt 3 4}}, "iso": "{{$isoTimestamp}}"}',
    );
    expect(JSON.parse(body as string)).toEqual({
      at: 1706742309,
      n: 3,
      iso: "2024-01-31T23:05:09.042Z",
    });
  });
});

describe("a seed", () => {
  const text = "GET http://x/{{$uuid}}/{{$randomInt 0 1000000}}/{{$random.alphabetic(8)}}";
  const url = (seed: string | number): string => createClient({ seed }).render(text).url;

  test("makes values repeat, and another seed makes others", () => {
    expect(url("a")).toBe(url("a"));
    expect(url(1)).toBe(url("1"));
    expect(url("a")).not.toBe(url("b"));
  });

  test("is not used up by a preview", () => {
    const lab = createClient({ seed: 1 });
    expect(lab.render(text).url).toBe(lab.render(text).url);
  });
});

describe("a value under one name", () => {
  test("is the same wherever the name is used, and new for each direct use", () => {
    const { url } = createClient().render(
      "@id = {{$uuid}}\nGET http://x/{{id}}/{{id}}/{{$uuid}}/{{$uuid}}",
    );
    const [, , , first, second, third, fourth] = url.split("/");
    expect(first).toBe(second);
    expect(new Set([first, third, fourth]).size).toBe(3);
  });

  test("keeps its type", async () => {
    const lab = createClient({ now });
    await lab.sendAll("@at = {{$timestamp}}\n@n = {{$randomInt 3 4}}\n@text = n{{$randomInt 3 4}}");
    expect([lab.getVar("at"), lab.getVar("n"), lab.getVar("text")]).toEqual([1706742309, 3, "n3"]);
  });
});

describe("values of the process", () => {
  const processEnv = { STAGE: "test", API_TOKEN: "very-secret", EMPTY: undefined };

  test("can be read by both spellings, and through a variable", () => {
    const lab = createClient({ processEnv });
    lab.setVar("which", "STAGE");
    expect(
      lab.render("GET http://x/{{$env.STAGE}}/{{$processEnv STAGE}}/{{$processEnv %which}}").url,
    ).toBe("http://x/test/test/test");
  });

  test.each(["NOBODY", "EMPTY", "toString", "__proto__"])("%s is not there", (name) => {
    expect(() => createClient({ processEnv }).render(`GET http://x/{{$env.${name}}}`)).toThrow(
      `the environment of the process has no variable "${name}"`,
    );
  });
});

describe("realistic data", () => {
  /** What the library exports, as far as it is used here: modules of functions, and a seed. */
  const library = {
    faker: {
      seeded: 0,
      seed(value: number) {
        this.seeded = value;
      },
      person: { firstName: () => "Grace", fullName: () => "Grace Hopper" },
      number: { int: ({ min, max }: { min: number; max: number }) => `${min} to ${max}` },
      date: { past: () => new Date(0) },
      broken: {
        down: () => {
          throw new Error("nothing left");
        },
        nothing: () => undefined,
      },
    },
  };

  async function prepared(placeholder: string): Promise<string> {
    const lab = createClient({ loadFaker: async () => library });
    await lab.prepare(`GET http://x/${placeholder}`);
    return lab.render(`GET http://x/${placeholder}`).url.slice(9);
  }

  test.each([
    ["{{$faker.person.firstName}}", "Grace"],
    ["{{$faker person.firstName}}", "Grace"],
    ["{{$random.name.fullName}}", "Grace Hopper"],
    ['{{$faker.number.int({"min": 1, "max": 5})}}', "1 to 5"],
    ["{{$faker.date.past}}", "1970-01-01T00:00:00.000Z"],
  ])("%s gives %s", async (placeholder, text) => {
    expect(await prepared(placeholder)).toBe(text);
  });

  test.each([
    ["{{$faker.person.constructor}}", 'faker has no "person.constructor"'],
    ["{{$faker.nobody.name}}", 'faker has no "nobody.name"'],
    ["{{$faker.__proto__.valueOf}}", "faker has no"],
    ["{{$faker.number.int(})}}", "are not comma-separated JSON values"],
    ["{{$faker.broken.down}}", "broken.down failed: nothing left"],
    ["{{$faker.broken.nothing}}", "broken.nothing failed"],
  ])("%s says %s", async (placeholder, message) => {
    await expect(prepared(placeholder)).rejects.toThrow(message);
  });

  test("is loaded when a text first asks for it, and a failure says what to do", async () => {
    let loads = 0;
    const lab = createClient({
      loadFaker: async () => {
        loads++;
        throw new Error("Cannot find package");
      },
    });
    await lab.prepare("GET http://x/{{$uuid}}/{{$random.integer}}");
    expect(loads).toBe(0);
    await lab.prepare("GET http://x/{{$faker.person.firstName}}");
    expect(() => lab.render("GET http://x/{{$faker.person.firstName}}")).toThrow(
      "loading it failed: Cannot find package; install it with npm install @faker-js/faker",
    );
  });

  test("data that cannot be loaded for a check is not a fault, and is not sent empty", async () => {
    const lab = createClient({ loadFaker: async () => undefined });
    const text = "GET http://localhost/{{$faker.person.firstName}}/{{$randomFirstName}}";
    await lab.prepare(text);
    expect(lab.check(text)).toEqual([]);
    expect(() => lab.render(text)).toThrow("is realistic data, and nothing loads it");
  });
});
