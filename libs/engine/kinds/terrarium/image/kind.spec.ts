import { expect, test } from '@jest/globals';
import { AGE, errorsOf, make, row, updateErrors } from '../../testing.js';
import { kind as Images } from './kind.js';

const NO_REPOSITORY = "must be a host and a path without a tag, such as 'ghcr.io/acme/shop'";

test.each<[object, string[]]>([
  [{ repository: 'ghcr.io/acme/shop' }, []],
  [{ repository: 'localhost:5000/shop', tags: ['v1', 'v2'] }, []],
  [{}, ['spec.repository: Required value']],
  [{ repository: 'shop' }, [`spec.repository: Invalid value: "shop": ${NO_REPOSITORY}`]],
  [
    { repository: 'ghcr.io/acme/shop:v1' },
    [`spec.repository: Invalid value: "ghcr.io/acme/shop:v1": ${NO_REPOSITORY}`],
  ],
  [{ repository: 7 }, [`spec.repository: Invalid value: 7: ${NO_REPOSITORY}`]],
  [{ repository: 'ghcr.io/acme/shop', tags: 'v1' }, ['spec.tags: Invalid value: "v1": must be a list of tags']],
  [{ repository: 'ghcr.io/acme/shop', size: 1 }, ['spec: Invalid value: "size": unknown field']],
])('the Image %j', (spec, errors) => expect(errorsOf(Images, { metadata: { name: 'shop' }, spec })).toEqual(errors));

test('a row shows the tags', () => {
  const image = make(Images, { spec: { repository: 'ghcr.io/acme/shop', tags: ['v1', 'v2'] } });
  expect(row(Images, image)).toEqual({ Name: 'a', Repository: 'ghcr.io/acme/shop', Tags: 'v1,v2', Age: AGE });
});

test('images are found by their repository', () =>
  expect(Images.indexes!['repository']!(make(Images, { spec: { repository: 'ghcr.io/acme/shop' } }))).toEqual([
    'ghcr.io/acme/shop',
  ]));

const REPOSITORY = { repository: 'ghcr.io/acme/shop' };
const SPAN = "must be a span of time of at most a year, such as '250ms' or '1m30s'";
const PATH = "must be an absolute path without '.' and '..', such as '/etc/shop.yaml'";
const BYTES = "must be a quantity of bytes, such as '64Mi'";

test('everything that an image may say', () => {
  const spec = {
    ...REPOSITORY,
    users: [{ name: 'jane', password: 'a secret' }],
    base: 'busybox',
    files: [{ path: '/etc/shop.yaml', content: 'a: 1\n', mode: 0o600 }],
    env: [{ name: 'COLOR', value: 'red' }],
    user: '1000:1000',
    workingDir: '/app',
    entrypoint: 'echo hello',
    ports: [
      { port: 80, answers: [{ path: '/*', method: 'GET', status: 200, headers: { a: 'b' }, body: 'x', delay: '1s' }] },
    ],
    startup: '1m30s',
    exit: { after: '10s', code: 3 },
    memory: '64Mi',
    leak: '1Mi',
    load: { cpu: '20ms', memory: '1Mi' },
  };
  expect(errorsOf(Images, { spec })).toEqual([]);
});

test.each<[object, string]>([
  [
    { base: 'windows' },
    'spec.base: Unsupported value: "windows": supported values: "scratch", "distroless", "busybox", "alpine", "debian", "ubuntu"',
  ],
  [{ files: {} }, 'spec.files: Invalid value: {}: must be a list'],
  [{ files: [{ content: 'x' }] }, 'spec.files[0].path: Required value'],
  [{ files: [{ path: 'etc/a' }] }, `spec.files[0].path: Invalid value: "etc/a": ${PATH}`],
  [{ files: [{ path: '/a/../b' }] }, `spec.files[0].path: Invalid value: "/a/../b": ${PATH}`],
  [{ files: [{ path: '/a' }, { path: '/a' }] }, 'spec.files[1].path: Invalid value: "/a": must not be given twice'],
  [
    { files: [{ path: '/a', mode: 70_000 }] },
    'spec.files[0].mode: Invalid value: 70000: must be a whole number between 0 and 4095',
  ],
  [{ files: [{ path: '/a', owner: 1 }] }, 'spec.files[0]: Invalid value: "owner": unknown field'],
  [{ env: [{ name: '1x' }] }, `spec.env[0].name: Invalid value: "1x": must be a variable's name, such as 'SHOP_COLOR'`],
  [
    { user: 'a b' },
    `spec.user: Invalid value: "a b": must be a user or a user and a group, such as '1000' or '1000:1000'`,
  ],
  [{ users: [{ name: 'jane' }] }, 'spec.users[0].password: Required value'],
  [
    { users: [{ name: 'a:b', password: 'c' }] },
    `spec.users[0].name: Invalid value: "a:b": must be a user's name without spaces and colons`,
  ],
  [{ workingDir: 'app' }, `spec.workingDir: Invalid value: "app": must be an absolute path without '.' and '..'`],
  [{ entrypoint: ' ' }, 'spec.entrypoint: Invalid value: " ": must be a script'],
  [{ ports: [{ port: 0 }] }, 'spec.ports[0].port: Invalid value: 0: must be a whole number between 1 and 65535'],
  [
    { ports: [{ port: 1, answers: [{ status: 100 }] }] },
    'spec.ports[0].answers[0].status: Invalid value: 100: must be a whole number between 200 and 599',
  ],
  [
    { ports: [{ port: 1, answers: [{ path: 'x' }] }] },
    `spec.ports[0].answers[0].path: Invalid value: "x": must begin with '/'`,
  ],
  [
    { ports: [{ port: 1, answers: [{ headers: { 'a b': 'c' } }] }] },
    'spec.ports[0].answers[0].headers[a b]: Invalid value: "a b": must be a header name',
  ],
  [
    { ports: [{ port: 1, answers: [{ headers: { a: 'b\nc' } }] }] },
    'spec.ports[0].answers[0].headers[a]: Invalid value: "b\\nc": must be one line of text',
  ],
  [{ ports: [{ port: 1, answers: [null] }] }, 'spec.ports[0].answers[0]: Invalid value: null: must be an object'],
  [{ startup: 3 }, `spec.startup: Invalid value: 3: ${SPAN}`],
  [{ startup: '3 s' }, `spec.startup: Invalid value: "3 s": ${SPAN}`],
  [{ exit: { after: '9000h' } }, `spec.exit.after: Invalid value: "9000h": ${SPAN}`],
  [{ exit: { code: 256 } }, 'spec.exit.code: Invalid value: 256: must be a whole number between 0 and 255'],
  [{ leak: 'much' }, `spec.leak: Invalid value: "much": ${BYTES}`],
  [{ load: { cpu: '1' } }, `spec.load.cpu: Invalid value: "1": ${SPAN}`],
])('the contents %j', (contents, error) =>
  expect(errorsOf(Images, { spec: { ...REPOSITORY, ...contents } })).toEqual([error]),
);

test.each<[object, object, string[]]>([
  [
    { env: [{ name: 'A' }] },
    { env: [{ name: 'B' }] },
    ['spec: Forbidden: an image does not change, except for its tags and users: add another Image for a new tag'],
  ],
  [{ tags: ['v1'] }, { tags: ['v1', 'v2'] }, []],
  [{}, { users: [{ name: 'jane', password: 'secret' }] }, []],
])('from %j to %j', (before, after, errors) =>
  expect(updateErrors(Images, { spec: { ...REPOSITORY, ...before } }, { spec: { ...REPOSITORY, ...after } })).toEqual(
    errors,
  ),
);

test('an image that is too large', () => {
  const files = [{ path: '/a', content: 'x'.repeat(524_288) }];
  expect(errorsOf(Images, { spec: { ...REPOSITORY, files } })).toEqual([
    'spec: Invalid value: 524359: must be at most 524288 characters of JSON',
  ]);
});
