import { describe, expect, test } from '@jest/globals';
import {
  ANY,
  BOOL,
  DOUBLE,
  DURATION,
  Environment,
  INT,
  listOf,
  mapOf,
  type ObjectType,
  PER_CALL_LIMIT,
  STRING,
  TIMESTAMP,
  toJson,
  type Type,
  type Value,
} from './index.js';

const object = (name: string, fields: Record<string, Type>): ObjectType => ({
  kind: 'object',
  name,
  fields: new Map(Object.entries(fields).map(([f, type]) => [f, { type, property: f.replace('__dash__', '-') }])),
});
const self = object('self', {
  replicas: INT,
  minReplicas: INT,
  name: STRING,
  ratio: DOUBLE,
  since: TIMESTAMP,
  wait: DURATION,
  tags: listOf(STRING),
  labels: mapOf(STRING, STRING),
  any: ANY,
  ports: listOf(object('self.port', { port: INT, name: STRING })),
  max__dash__surge: INT,
  ok: BOOL,
});
const typed = new Environment({ variables: { self } });
const dynamic = new Environment({ variables: { object: ANY }, structs: (name) => /^(Object|JSONPatch)/.test(name) });

const VALUES = {
  replicas: 3,
  minReplicas: 1,
  name: 'web',
  ratio: 2,
  since: '2026-01-02T03:04:05Z',
  wait: '90s',
  tags: ['a', 'b'],
  labels: { app: 'web' },
  any: { x: [1, 2.5, null] },
  ports: [
    { port: 80, name: 'http' },
    { port: 443, name: 'https' },
  ],
  'max-surge': 5,
  ok: true,
};
const run = (environment: Environment, text: string): unknown => {
  const { program, error } = environment.compile(text);
  if (!program) return error;
  try {
    return toJson(program.run((name) => ({ self: VALUES, object: VALUES } as Record<string, Value>)[name]).value);
  } catch (failure) {
    return (failure as Error).message;
  }
};

test.each<[string, unknown]>([
  ['1 + 2 * 3 - 4 / 2 % 2', 7],
  ['-7 / 2', -3],
  ['"a" + \'b\' == "ab" && !false', true],
  ['1 < 2.5 && 2 == 2', true],
  ['r"\\d" + "\\u0041\\n"', '\\dA\n'],
  ['self.replicas >= self.minReplicas ? "yes" : "no"', 'yes'],
  ['self.ratio / 4.0', 0.5],
  ['self.max__dash__surge', 5],
  ['self.since < timestamp("2027-01-01T00:00:00Z") && self.since.getFullYear() == 2026', true],
  ['self.wait > duration("1m") && self.wait == duration("1m30s")', true],
  ['has(self.name) && !has(self.labels.none) && has(self.labels.app)', true],
  ['"app" in self.labels && "b" in self.tags && !("c" in self.tags)', true],
  ['self.ports.map(p, p.port)', [80, 443]],
  ['self.ports.filter(p, p.port > 100).map(p, p.name)', ['https']],
  ['self.ports.map(p, p.port > 100, p.name)', ['https']],
  [
    'self.ports.all(p, p.port > 0) && self.ports.exists(p, p.name == "http") && self.ports.exists_one(p, p.port == 80)',
    true,
  ],
  ['self.tags.all(i, t, i >= 0 && t != "")', true],
  ['self.tags.transformList(i, t, t + string(i))', ['a0', 'b1']],
  ['self.labels.transformMap(k, v, k + v)', { app: 'appweb' }],
  ['self.labels.all(k, k == "app")', true],
  ['self.?name.orValue("x") + self.labels.?none.orValue("y")', 'weby'],
  ['self.tags[?5].hasValue() || self.tags[?0].value() == "a"', true],
  ['optional.of(1).optMap(x, x + 1).orValue(0)', 2],
  ['[1, ?optional.none(), 2]', [1, 2]],
  ['{"a": 1, ?"b": optional.none()}', { a: 1 }],
  ['size("héllo") + size([1, 2]) + {"a": 1}.size()', 8],
  ['self.any.x[1] == 2.5 && self.any.x[2] == null', true],
  ['type(1) == int && type("") == string', true],
  ['"a-b-c".split("-").join("+")', 'a+b+c'],
  ['"hello".substring(1, 3) + "Hi".lowerAscii() + " x ".trim()', 'elhix'],
  ['"%s has %d of %.1f: %s".format(["a", 2, 1.25, [1, "b"]])', 'a has 2 of 1.2: [1, "b"]'],
  ['"web-1".matches("^[a-z]+-[0-9]+$") && "a1b22".findAll("[0-9]+") == ["1", "22"] && "abc".find("b.") == "bc"', true],
  ['[1, 3, 2].max() + [1, 2].sum() + [5, 4].indexOf(4)', 7],
  ['["a", "b"].isSorted() && sets.contains([1, 2], [2]) && sets.equivalent([1], [1, 1])', true],
  [
    'quantity("1Gi").isGreaterThan(quantity("500Mi")) && quantity("1").add(quantity("500m")) == quantity("1500m") && isQuantity("x") == false',
    true,
  ],
  [
    'url("https://example.com:80/path?k=v").getPort() + url("https://example.com/p").getHost() + string(isURL("x y"))',
    '80example.comfalse',
  ],
  ['url("https://example.com:80/p?k=v").getQuery()', { k: ['v'] }],
  [
    'ip("192.168.0.1").family() == 4 && cidr("192.168.0.0/24").containsIP("192.168.0.9") && isIP("::1") && ip("2001:db8::abcd").isGlobalUnicast()',
    true,
  ],
  ['string(ip("2001:db8:0:0:0:0:0:1"))', '2001:db8::1'],
  ['semver("1.10.0").isGreaterThan(semver("1.9.3-alpha")) && isSemver("1.0") == false', true],
  [
    'format.dns1123Label().validate("Bad_").hasValue() && !format.named("dns1123Label").value().validate("ok").hasValue()',
    true,
  ],
  ['int("12") + int(3.9) == 15 && double(1) == 1.0 && bool("true") && string(1.5) == "1.5"', true],
])('%s', (text, value) => expect(run(typed, text)).toEqual(value));

test.each<[string, unknown]>([
  ['object.ratio + 1', 3],
  ['Object{spec: Object.spec{replicas: object.replicas + 1}}', { spec: { replicas: 4 } }],
  [
    '[JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("a/b"), value: {"x": 1}}]',
    [{ op: 'add', path: '/metadata/labels/a~1b', value: { x: 1 } }],
  ],
])('on what is not typed, %s', (text, value) => expect(run(dynamic, text)).toEqual(value));

describe('while it runs', () => {
  test.each([
    ['object.none.x', 'no such key: none'],
    ['object.tags[5]', 'index out of bounds: 5'],
    ['1 / (object.replicas - 3)', 'division by zero'],
    ['9223372036854775807 + object.replicas', 'integer overflow'],
    ['object.name + 1', 'no such overload'],
    ['object.none || object.ok', true],
    ['object.ok && object.none', 'no such key: none'],
    ['object.tags.exists(t, t == "a" || t.none)', true],
    ['timestamp("x" + "")', 'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"'],
    ['[3, 1, 2].sort() == [1, 2, 3] && [[1], [2]].flatten() == [1, 2] && [1, 1, 2].distinct() == [1, 2]', true],
    [
      '[1, 2, 3].slice(1, 3) == [2, 3] && [1, 2].reverse() == [2, 1] && lists.range(2) == [0, 1] && [7].first().value() == 7',
      true,
    ],
    ['[{"n": 2}, {"n": 1}].sortBy(x, x.n)[0].n', 1],
    ['[1].slice(1, 3)', 'cannot slice(1, 3), list is length 1'],
    ['"😀a".indexOf("a") == 1 && "😀a".substring(1) == "a" && "abc".split("").size() == 3', true],
    ['"%f %e %x".format([1234567.0, 1234.5, "hi"])', '1,234,567.000000 1.234500×10⁰³ 6869'],
    ['1u + 2u == 3u && uint(3) > 2', true],
    ['uint(0 - 1)', 'unsigned integer overflow'],
  ])('%s is %s', (text, outcome) => expect(run(dynamic, text)).toEqual(outcome));

  test('work is limited', () => {
    const list = '[0,1,2,3,4,5,6,7,8,9]';
    expect(
      run(
        dynamic,
        `${list}.all(a, ${list}.all(b, ${list}.all(c, ${list}.all(d, ${list}.all(e, ${list}.all(f, true))))))`,
      ),
    ).toBe('operation cancelled: actual cost limit exceeded');
    expect(PER_CALL_LIMIT).toBe(1_000_000);
  });

  test('a pattern that backtracking engines choke on is no danger', () =>
    expect(run(dynamic, `"${'a'.repeat(5000)}!".matches("^(a+)+$")`)).toBe(false));
});

test.each([
  ['self.nope > 1', "ERROR: <input>:1:5: undefined field 'nope'\n | self.nope > 1\n | ....^"],
  [
    'self.replicas + "a" == 1',
    "ERROR: <input>:1:15: found no matching overload for '_+_' applied to '(int, string)'\n | self.replicas + \"a\" == 1\n | ..............^",
  ],
  [
    'self.replicas == "a"',
    "ERROR: <input>:1:15: found no matching overload for '_==_' applied to '(int, string)'\n | self.replicas == \"a\"\n | ..............^",
  ],
  ['foo == 1', "ERROR: <input>:1:1: undeclared reference to 'foo' (in container '')\n | foo == 1\n | ^"],
  [
    'self.name.startsWith(1)',
    "ERROR: <input>:1:21: found no matching overload for 'startsWith' applied to 'string.(int)'\n | self.name.startsWith(1)\n | ....................^",
  ],
  [
    'self.replicas.all(x, true)',
    "ERROR: <input>:1:5: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)\n | self.replicas.all(x, true)\n | ....^",
  ],
  ['[1, "a"] == []', "ERROR: <input>:1:5: expected type 'int' but found 'string'\n | [1, \"a\"] == []\n | ....^"],
  [
    'self.name ==',
    "ERROR: <input>:1:13: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | self.name ==\n | ............^",
  ],
  [
    'self.name &&\n  nope',
    expect.stringContaining("ERROR: <input>:2:3: undeclared reference to 'nope' (in container '')\n |   nope\n | ..^"),
  ],
])('a fault is shown where it is: %s', (text, error) => expect(run(typed, text)).toEqual(error));

test('nesting is limited', () => {
  expect(run(dynamic, `${'('.repeat(200)}1${')'.repeat(200)}`)).toContain('expression recursion limit exceeded: 50');
  expect(run(dynamic, `1${'+1'.repeat(5000)}`)).toContain('operators');
  expect(run(dynamic, `"${'a'.repeat(20_000)}"`)).toContain('exceeds limit');
});
