import { invalidValue, notSupported, Path, required, tooMany, type FieldError } from '../../../machinery/meta/field.js';
import { isQuantity, quantityValue } from '../../../machinery/quantity/quantity.js';
import { DAY } from '../../../machinery/time/time.js';
import { unknownFields } from '../unknown-fields.js';
import { parseSpan } from './span.js';
import { IMAGE_BASES, type ImageSpec } from './spec.js';

/** As long as github.com/distribution/reference lets a name be. */
const MAX_REPOSITORY = 255;
const MAX_ITEMS = 256;
/** Of all texts together: objects must fit into a row of the log. */
const MAX_BYTES = 524_288;
const MAX_SPAN = 365 * DAY;

type Check = (value: unknown, path: Path) => FieldError[];
type Fields = Readonly<Record<string, unknown>>;

/** Everything that is wrong with an Image's spec. */
export function validateSpec(spec: ImageSpec): FieldError[] {
  const path = Path.of('spec');
  return [
    ...validateRepository(spec.repository, path.child('repository')),
    ...validateTags(spec.tags, path.child('tags')),
    ...checkFields(spec as Fields, path, { users, ...CONTENTS }),
    ...unknownFields(spec, ['repository', 'tags', 'users', ...Object.keys(CONTENTS)], path),
    ...validateSize(spec, path),
  ];
}

function validateRepository(repository: unknown, path: Path): FieldError[] {
  if (repository === undefined || repository === '') return [required(path)];
  const isName =
    typeof repository === 'string' &&
    repository.length <= MAX_REPOSITORY &&
    /^[^\s/:@]+(?::\d+)?\/[^\s:@]+$/.test(repository);
  return isName
    ? []
    : [invalidValue(path, repository, "must be a host and a path without a tag, such as 'ghcr.io/acme/shop'")];
}

function validateTags(tags: unknown, path: Path): FieldError[] {
  const isList =
    tags === undefined || (Array.isArray(tags) && tags.every((tag) => typeof tag === 'string' && tag !== ''));
  return isList ? [] : [invalidValue(path, tags, 'must be a list of tags')];
}

function validateSize(spec: ImageSpec, path: Path): FieldError[] {
  const size = JSON.stringify(spec).length;
  return size <= MAX_BYTES ? [] : [invalidValue(path, size, `must be at most ${MAX_BYTES} characters of JSON`)];
}

const test =
  (isValid: (value: unknown) => boolean, detail: string): Check =>
  (value, path) =>
    isValid(value) ? [] : [invalidValue(path, value, detail)];

const isText = (value: unknown): value is string => typeof value === 'string';
const isWhole = (value: unknown, min: number, max: number): boolean =>
  Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
const isPath = (value: unknown): boolean =>
  isText(value) &&
  value.length <= 4_096 &&
  value.startsWith('/') &&
  !value.includes('\0') &&
  value
    .slice(1)
    .split('/')
    .every((name) => name !== '' && name !== '.' && name !== '..' && name.length <= 255);
const isSpan = (value: unknown): boolean => isText(value) && (parseSpan(value) ?? Infinity) <= MAX_SPAN;
const isBytes = (value: unknown): boolean => isText(value) && isQuantity(value) && quantityValue(value) >= 0;

const text = test(isText, 'must be a string');
const path = test(isPath, "must be an absolute path without '.' and '..', such as '/etc/shop.yaml'");
const span = test(isSpan, "must be a span of time of at most a year, such as '250ms' or '1m30s'");
const bytes = test(isBytes, "must be a quantity of bytes, such as '64Mi'");
const whole = (min: number, max: number): Check =>
  test((value) => isWhole(value, min, max), `must be a whole number between ${min} and ${max}`);

/** An object of these fields; those of `needed` must be there. */
const object =
  (fields: Readonly<Record<string, Check>>, needed: readonly string[] = []): Check =>
  (value, at) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return [invalidValue(at, value, 'must be an object')];
    const missing = needed.filter((name) => (value as Fields)[name] === undefined);
    return [
      ...missing.map((name) => required(at.child(name))),
      ...checkFields(value as Fields, at, fields),
      ...unknownFields(value, Object.keys(fields), at),
    ];
  };

/** `keyOf` names what no two of them may have in common. */
const list =
  (item: Check, key?: string): Check =>
  (value, at) => {
    if (!Array.isArray(value)) return [invalidValue(at, value, 'must be a list')];
    if (value.length > MAX_ITEMS) return [tooMany(at, value.length, MAX_ITEMS)];
    const keys = key === undefined ? [] : value.map((one) => (one as Fields | null)?.[key]);
    return value.flatMap((one, i) => [
      ...item(one, at.index(i)),
      ...(key !== undefined && keys.indexOf(keys[i]) < i
        ? [invalidValue(at.index(i).child(key), keys[i], 'must not be given twice')]
        : []),
    ]);
  };

function checkFields(value: Fields, at: Path, fields: Readonly<Record<string, Check>>): FieldError[] {
  return Object.entries(fields).flatMap(([name, check]) =>
    value[name] === undefined ? [] : check(value[name], at.child(name)),
  );
}

const headers: Check = (value, at) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [invalidValue(at, value, 'must be an object of names and values')];
  return Object.entries(value).flatMap(([name, one]) => {
    if (!/^[\w!#$%&'*+.^`|~-]{1,128}$/.test(name)) return [invalidValue(at.key(name), name, 'must be a header name')];
    const isLine = isText(one) && !/[\r\n\0]/.test(one);
    return isLine ? [] : [invalidValue(at.key(name), one, 'must be one line of text')];
  });
};

const answer = object({
  path: test((value) => isText(value) && /^\/\S*$/.test(value), "must begin with '/'"),
  method: test((value) => isText(value) && /^[A-Z]{1,20}$/.test(value), "must be a method, such as 'GET'"),
  status: whole(200, 599),
  headers,
  body: text,
  delay: span,
});

const word = (isPart: RegExp, detail: string): Check => test((value) => isText(value) && isPart.test(value), detail);

/** A name goes before a colon where a client logs in. */
const users = list(
  object(
    {
      name: word(/^[^\s:]{1,256}$/, "must be a user's name without spaces and colons"),
      password: word(/^[^\r\n]{1,4096}$/, 'must be one line of text'),
    },
    ['name', 'password'],
  ),
  'name',
);

/** What an Image may say of the contents of an image. */
const CONTENTS: Readonly<Record<string, Check>> = {
  base: (value, at) =>
    IMAGE_BASES.includes(value as 'debian') ? [] : [notSupported(at, String(value), [...IMAGE_BASES])],
  files: list(object({ path, content: text, mode: whole(0, 0o7777) }, ['path']), 'path'),
  env: list(
    object(
      {
        name: test(
          (value) => isText(value) && /^[A-Za-z_][\w.-]{0,255}$/.test(value),
          "must be a variable's name, such as 'SHOP_COLOR'",
        ),
        value: text,
      },
      ['name'],
    ),
    'name',
  ),
  user: test(
    (value) => isText(value) && /^[\w.-]{1,32}(?::[\w.-]{1,32})?$/.test(value),
    "must be a user or a user and a group, such as '1000' or '1000:1000'",
  ),
  workingDir: test((value) => value === '/' || isPath(value), "must be an absolute path without '.' and '..'"),
  entrypoint: test((value) => isText(value) && value.trim() !== '', 'must be a script'),
  ports: list(object({ port: whole(1, 65_535), answers: list(answer) }, ['port']), 'port'),
  startup: span,
  exit: object({ after: span, code: whole(0, 255) }),
  memory: bytes,
  leak: bytes,
  load: object({ cpu: span, memory: bytes }),
};
