import { faker } from "@faker-js/faker";
import { describe, expect, test } from "vitest";
import { type Client, type ClientOptions, createClient } from "../../lib/mod.ts";
import { JETBRAINS, postmanNames } from "../../lib/variables/faker.ts";

const loadFaker = (): Promise<unknown> => import("@faker-js/faker");

function lab(options: ClientOptions = {}): Client {
  return createClient({ loadFaker, seed: "people", ...options });
}

/** What a placeholder stands for, inside JSON, where it keeps its type. */
async function made(placeholder: string, client = lab()): Promise<unknown> {
  const text = `POST http://x\nContent-Type: application/json\n\n[{{${placeholder}}}]`;
  await client.prepare(text);
  const quoted = text.replace(/\[(.*)\]/, '["$1"]');
  const { body } = client.render(quoted);
  return (JSON.parse(body as string) as unknown[])[0];
}

describe("realistic data of @faker-js/faker itself", () => {
  test.each<[placeholder: string, looks: RegExp]>([
    ["$faker.person.firstName", /^\p{Lu}[\p{L}'-]+$/u],
    ["$faker person.lastName", /^\p{Lu}[\p{L}' -]+$/u],
    ["$faker.internet.email", /^\S+@\S+\.\w+$/],
    ['$faker.number.int({"min": 3, "max": 3})', /^3$/],
    ['$faker.helpers.arrayElement(["a"])', /^a$/],
    ["$faker.location.language.alpha2", /^[a-z]{2}$/],
    ["$random.name.fullName", /^\S+ \S+/],
    ["$random.address.zipCode", /^\d{5}(?:-\d{4})?$/],
    ["$random.address.fullAddress", /^\d+ .+/],
    ["$random.internet.emailAddress", /^\S+@\S+$/],
    ["$random.phoneNumber.cellPhone", /\d{3}/],
    ["$random.finance.iban", /^[A-Z]{2}\d{2}\w+$/],
    ["$random.crypto.md5", /^[\da-f]{32}$/],
    ["$random.code.isbn13", /^97[\d-]{11,16}$/],
    ["$randomFirstName", /^\p{Lu}[\p{L}'-]+$/u],
    ["$randomFullName", /^\S+ \S+/],
    ["$randomEmail", /^\S+@\S+\.\w+$/],
    ["$randomUserName", /^\S+$/],
    ["$randomCity", /^\p{Lu}/u],
    ["$randomCountryCode", /^[A-Z]{2}$/],
    ["$randomUUID", /^[\da-f]{8}-[\da-f-]{27}$/],
    ["$randomBoolean", /^(?:true|false)$/],
    ["$randomIP", /^\d+\.\d+\.\d+\.\d+$/],
    ["$randomHexColor", /^#[\da-f]{6}$/],
    ["$randomSemver", /^\d+\.\d+\.\d+$/],
    ["$randomWords", /^\S+ \S+/],
    ["$randomPassword", /^\w{15}$/],
    ["$randomDatePast", /^\d{4}-\d\d-\d\dT[\d:.]+Z$/],
    ["$randomLocale", /^[a-z]{2}$/],
    ["$randomCatsImage", /^https:\/\/\S+$/],
  ])("{{%s}} looks like %s", async (placeholder, looks) => {
    expect(String(await made(placeholder))).toMatch(looks);
  });

  test("every name of Postman and JetBrains has a value", async () => {
    const client = lab();
    const jetbrains = [...JETBRAINS.keys()].filter((name) => name.includes("."));
    const names = [...postmanNames(), ...jetbrains.map((name) => `$random.${name}`)];
    expect(names.length).toBeGreaterThan(150);
    const empty: string[] = [];
    for (const name of names) {
      const value = await made(name, client).catch((error: Error) => error.message);
      if (value === "" || String(value).startsWith("Cannot")) empty.push(`${name}: ${value}`);
    }
    expect(empty).toEqual([]);
  });

  test("a number, a truth value and a date keep their types", async () => {
    const text =
      'POST http://x\n\n{"n": {{$faker.number.int}}, "b": {{$randomBoolean}}, "d": "{{$faker.date.past}}"}';
    const client = lab();
    await client.prepare(text);
    const { n, b, d } = JSON.parse(client.render(text).body as string);
    expect([typeof n, typeof b]).toEqual(["number", "boolean"]);
    expect(new Date(d).toISOString()).toBe(d);
  });

  test("a seed repeats, dates by its clock; another seed makes others", async () => {
    const text =
      "GET http://x/{{$randomFullName}}/{{$random.name.firstName}}/{{$randomDateFuture}}/{{$randomUUID}}";
    const url = async (seed: string): Promise<string> => {
      const client = lab({ seed, now: () => new Date("2024-01-31T12:00:00Z") });
      await client.prepare(text);
      return client.render(text).url;
    };
    const first = await url("a");
    expect(await url("a")).toBe(first);
    expect(await url("b")).not.toBe(first);
    const future = /\/(202\d-[^/]+)\//.exec(first)?.[1] ?? "";
    expect(new Date(future).getTime()).toBeGreaterThan(Date.UTC(2024, 0, 31, 12));
  });

  test("without a seed each use differs, under one name it is the same", async () => {
    const client = createClient({ loadFaker });
    const text =
      "@who = {{$randomUUID}}\nGET http://x/{{who}}/{{who}}/{{$randomUUID}}/{{$randomUUID}}";
    await client.prepare(text);
    const [, , , ...four] = client.render(text).url.split("/");
    expect(four[0]).toBe(four[1]);
    expect(new Set(four).size).toBe(3);
  });

  test.each([
    ["$randomFirstNam", 'Did you mean "$randomFirstName"'],
    ["$randomFirstName 3", 'it takes no arguments, found "3"'],
    ["$faker.person.nickName", 'faker has no "person.nickName"'],
    ["$faker.nobody.name", "Its modules are, for example, "],
    ["$faker.location.language.nothing", 'faker has no "location.language.nothing"'],
    ["$faker.person.firstName.constructor", 'faker has no "person.firstName.constructor"'],
    ["$faker.helpers.fake({{)", "are not comma-separated JSON values"],
  ])("{{%s}} says %s", async (placeholder, message) => {
    await expect(made(placeholder)).rejects.toThrow(message);
  });

  test("loadFaker may return the library itself", async () => {
    expect(await made("$randomCity", lab({ loadFaker: async () => faker }))).toMatch(/\S/);
  });
});

describe("placeholders of other clients for logins and scripts", () => {
  test.each([
    ["$aadToken", "Authorization: OAuth2 authorization_code NAME"],
    ["$aadV2Token new", "Azure"],
    ["$oidcAccessToken clientId:me", "OpenID Connect"],
    ["$global.last", "Run a script first that sets it: $global.last"],
  ])("{{%s}} says what to write instead", async (placeholder, message) => {
    await expect(made(placeholder)).rejects.toThrow(message);
  });
});
