import {
  type Explanation,
  type Generated,
  messageOf,
  snapshotValue,
} from "../interpolation/mod.ts";
import type { Random } from "./generated.ts";

/**
 * The used part of `@faker-js/faker`: modules of functions, and a seed. It is not imported, so that it
 * need not be installed.
 */
export interface Faker {
  /** Makes the following values repeatable. */
  seed(seed: number): unknown;
  /** Sets the date that past and future dates are relative to. */
  setDefaultRefDate?(date: Date): unknown;
}

/**
 * Generates realistic data.
 *
 * @param call The path, for example `person.firstName` or JetBrains' `name.firstName`, and the arguments
 * as JSON, without parentheses.
 */
export function generateWithFaker(
  { path, words }: FakerCall,
  faker: Faker,
  { random, now }: { readonly random: Random; readonly now: () => Date },
): Generated {
  const call = findFakerCall(path, words);
  const [group = "", method = "", ...more] = call.path.split(".");
  const module = ownMember(faker, group);
  const make = typeof module === "object" && module !== null ? member(module, method) : undefined;
  if (typeof make !== "function") return unknownPath(path, faker, group);
  let values: unknown[];
  try {
    values = JSON.parse(`[${call.words}]`);
  } catch {
    return { message: `its arguments "${words}" are not comma-separated JSON values` };
  }
  faker.seed(random.integer(0, 2 ** 31));
  faker.setDefaultRefDate?.(now());
  try {
    const made: unknown = make.apply(module, values);
    const value = more.reduce((holder, step) => ownMember(Object(holder), step), made);
    if (value === undefined && more.length > 0) return unknownPath(path, faker, group);
    return { value: snapshotValue(value, path) };
  } catch (error) {
    return { message: `${path} failed: ${messageOf(error)}` };
  }
}

function ownMember(holder: object, name: string): unknown {
  return Object.hasOwn(holder, name) ? Reflect.get(holder, name) : undefined;
}

/** Methods of faker are on prototypes; those of `Object.prototype` are not methods of faker. */
function member(holder: object, name: string): unknown {
  return name in Object.prototype ? undefined : Reflect.get(holder, name);
}

function unknownPath(path: string, faker: Faker, group: string): Explanation {
  const module = ownMember(faker, group);
  const isModule = typeof module === "object" && module !== null;
  const groups = Object.keys(faker).filter((name) => /^[a-z]\w*$/.test(name));
  const hint = isModule
    ? "See https://fakerjs.dev/api"
    : `Its modules are, for example, ${groups.slice(0, 8).join(", ")}`;
  return { message: `faker has no "${path}"`, hint };
}

/** Loads `@faker-js/faker` when a text first needs it. */
export interface FakerLoader {
  /** The library, or why it is not loaded. */
  readonly faker: Faker | string;
  /** Whether it cannot be loaded here, but may be loaded where the text is sent. */
  readonly isElsewhere: boolean;
  load(): Promise<void>;
}

/** Creates the loader of a client. */
export function createFakerLoader(loadFaker: (() => Promise<unknown>) | undefined): FakerLoader {
  let faker: Faker | string = "nothing loads it: give createClient loadFaker";
  let isElsewhere = false;
  return {
    get faker() {
      return faker;
    },
    get isElsewhere() {
      return isElsewhere;
    },
    async load() {
      if (typeof faker !== "string" || loadFaker === undefined) return;
      try {
        const loaded = await loadFaker();
        isElsewhere = loaded === undefined;
        if (!isElsewhere) faker = toFaker(loaded);
      } catch (error) {
        const [reason] = messageOf(error).split("\n", 1);
        faker = `loading it failed: ${reason}; install it with npm install @faker-js/faker`;
      }
    },
  };
}

/** The module itself, its export `faker`, or that of the default export of a CommonJS module. */
function toFaker(module: unknown): Faker {
  const { faker, default: inner } = module as { faker?: unknown; default?: { faker?: unknown } };
  const found = (faker ?? inner?.faker ?? module) as Partial<Faker> | null;
  if (typeof found?.seed === "function") return found as Faker;
  throw new TypeError("the loaded module is not faker");
}

/** A call of faker: the path of a method, and its arguments as JSON. */
export interface FakerCall {
  readonly path: string;
  readonly words: string;
}

/**
 * Postman's names after `$random`, each with the equivalent call of faker (postman-collection,
 * `lib/superstring/dynamic-variables.js`), and those of Bruno, which has a few more. Images show anything: faker no
 * longer accepts a subject.
 */
const POSTMAN: ReadonlyMap<string, FakerCall> = readTable(`
  City location.city; StreetName location.street; StreetAddress location.streetAddress
  Country location.country; CountryCode location.countryCode; Locale location.language.alpha2
  Latitude location.latitude; Longitude location.longitude
  Department commerce.department; Product commerce.product; ProductName commerce.productName
  ProductAdjective commerce.productAdjective; ProductMaterial commerce.productMaterial
  Color color.human; HexColor color.rgb
  CompanyName company.name; CompanySuffix helpers.arrayElement ["Inc", "LLC", "Group", "and Sons"]
  CatchPhrase company.catchPhrase; CatchPhraseAdjective company.catchPhraseAdjective
  CatchPhraseDescriptor company.catchPhraseDescriptor; CatchPhraseNoun company.catchPhraseNoun
  Bs company.buzzPhrase; BsAdjective company.buzzAdjective; BsBuzz company.buzzVerb; BsNoun company.buzzNoun
  DatabaseColumn database.column; DatabaseType database.type; DatabaseCollation database.collation
  DatabaseEngine database.engine
  DatePast date.past; DateFuture date.future; DateRecent date.recent; Month date.month; Weekday date.weekday
  BankAccount finance.accountNumber 8; BankAccountName finance.accountName; BankAccountIban finance.iban
  BankAccountBic finance.bic; CreditCardMask finance.accountNumber 4; Price finance.amount {"min": 0, "max": 1000}
  TransactionType finance.transactionType; Bitcoin finance.bitcoinAddress
  CurrencyCode finance.currencyCode; CurrencyName finance.currencyName; CurrencySymbol finance.currencySymbol
  Abbreviation hacker.abbreviation; Adjective hacker.adjective; Noun hacker.noun; Verb hacker.verb
  Ingverb hacker.ingverb; Phrase hacker.phrase
  AvatarImage image.avatar; ImageUrl image.url; ImageDataUri image.dataUri
  AbstractImage image.url; AnimalsImage image.url; BusinessImage image.url; CatsImage image.url
  CityImage image.url; FoodImage image.url; NightlifeImage image.url; FashionImage image.url
  PeopleImage image.url; NatureImage image.url; SportsImage image.url; TransportImage image.url
  Email internet.email; ExampleEmail internet.exampleEmail; UserName internet.username
  Protocol internet.protocol; Url internet.url; DomainName internet.domainName
  DomainSuffix internet.domainSuffix; DomainWord internet.domainWord; IP internet.ipv4; IPV6 internet.ipv6
  UserAgent internet.userAgent; MACAddress internet.mac; Password internet.password {"length": 15}
  LoremWord lorem.word; LoremWords lorem.words; LoremSentence lorem.sentence; LoremSlug lorem.slug
  LoremSentences lorem.sentences; LoremParagraph lorem.paragraph; LoremParagraphs lorem.paragraphs
  LoremText lorem.text; LoremLines lorem.lines
  FirstName person.firstName; LastName person.lastName; FullName person.fullName
  NamePrefix person.prefix; NameSuffix person.suffix; JobTitle person.jobTitle
  JobDescriptor person.jobDescriptor; JobArea person.jobArea; JobType person.jobType
  PhoneNumber phone.number {"style": "national"}; PhoneNumberExt phone.number {"style": "international"}
  NanoId string.nanoid; IPV4 internet.ipv4; UUID string.uuid; Boolean datatype.boolean; AlphaNumeric string.alphanumeric
  Word word.sample; Words word.words {"count": {"min": 2, "max": 5}}
  FileName system.fileName; CommonFileName system.commonFileName; FilePath system.filePath
  DirectoryPath system.directoryPath; MimeType system.mimeType; CommonFileType system.commonFileType
  CommonFileExt system.commonFileExt; FileType system.fileType; FileExt system.fileExt; Semver system.semver
`);

/** The names of JetBrains' HTTP client, which are those of Java Faker. */
export const JETBRAINS: ReadonlyMap<string, FakerCall> = readTable(`
  address.fullAddress location.streetAddress true; address.streetName location.street
  address.streetAddressNumber location.buildingNumber; address.cityName location.city
  address.stateAbbr location.state {"abbreviated": true}; address location
  bool.bool datatype.boolean; code.isbn10 commerce.isbn 10; code.isbn13 commerce.isbn 13
  code.imei phone.imei; color.name color.human; color.hex color.rgb
  commerce.color color.human; commerce.material commerce.productMaterial
  company.bs company.buzzPhrase; company.buzzword company.buzzNoun; company.industry commerce.department
  company.profession person.jobType; currency.code finance.currencyCode; currency.name finance.currencyName
  crypto.md5 string.hexadecimal {"length": 32, "casing": "lower", "prefix": ""}
  crypto.sha1 string.hexadecimal {"length": 40, "casing": "lower", "prefix": ""}
  crypto.sha256 string.hexadecimal {"length": 64, "casing": "lower", "prefix": ""}
  date.birthday date.birthdate; file.extension system.fileExt; file.fileName system.filePath
  file.mimeType system.mimeType; finance.creditCard finance.creditCardNumber
  internet.emailAddress internet.email; internet.safeEmailAddress internet.exampleEmail
  internet.ipV4Address internet.ipv4; internet.ipV6Address internet.ipv6; internet.macAddress internet.mac
  internet.slug lorem.slug; internet.userAgentAny internet.userAgent; internet.uuid string.uuid
  internet.image image.url; job.title person.jobTitle; job.field person.jobArea; job.position person.jobType
  job.seniority person.jobDescriptor; lorem.characters string.alphanumeric; lorem.character string.alphanumeric
  name.name person.fullName; name.nameWithMiddle person.fullName; name.title person.jobTitle
  name.username internet.username; name person; nation.language location.language.name
  number.digit string.numeric; number.digits string.numeric; number.randomDigit number.int 9
  number.randomNumber number.int 999999; phoneNumber.cellPhone phone.number; phoneNumber.phoneNumber phone.number
  phoneNumber phone
`);

/** Reads entries `Name path arguments`, separated by line breaks or semicolons. */
function readTable(text: string): ReadonlyMap<string, FakerCall> {
  const entries = text.split(/[;\n]/).filter((entry) => entry.trim() !== "");
  return new Map(
    entries.map((entry) => {
      const [, name = "", path = "", words = ""] = /^\s*(\S+) (\S+) ?(.*)$/.exec(entry) ?? [];
      return [name, { path, words }];
    }),
  );
}

/** The call of faker for a name of Postman, such as `$randomFirstName`. */
export function findPostmanCall(name: string): FakerCall | undefined {
  return name.startsWith("$random") ? POSTMAN.get(name.slice("$random".length)) : undefined;
}

/** The names that {@link findPostmanCall} knows. */
export function postmanNames(): readonly string[] {
  return Array.from(POSTMAN.keys(), (name) => `$random${name}`);
}

/** The call of faker for a path after `$random.` or `$faker.`. */
function findFakerCall(path: string, words: string): FakerCall {
  const whole = JETBRAINS.get(path);
  if (whole !== undefined) return words === "" ? whole : { path: whole.path, words };
  const [group = "", ...rest] = path.split(".");
  return { path: [JETBRAINS.get(group)?.path ?? group, ...rest].join("."), words };
}
