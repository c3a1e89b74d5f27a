import { gunzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { chartTitle, decodeRelease, encodeRelease, type Release, secretName } from './release.js';

const RELEASE: Release = {
  ...{ name: 'a', version: 2, namespace: 'n', manifest: '---\nkind: ConfigMap\n', labels: { team: 'x' } },
  info: {
    ...{ first_deployed: '2026-01-01T00:00:00Z', last_deployed: '2026-01-02T00:00:00Z', deleted: '' },
    ...{ description: 'Upgrade complete', status: 'deployed', notes: 'Grüße' },
  },
  chart: {
    metadata: { name: 'c', version: '1.0.0', appVersion: '7' },
    ...{
      lock: null,
      templates: [{ name: 'templates/a.yaml', data: 'YQ==' }],
      values: { a: 1 },
      schema: null,
      files: [],
    },
  },
  config: { a: 2 },
  hooks: [],
};

test('a record is what helm stores: JSON, gzip, base64, and the base64 of a Secret', () => {
  const outer = Buffer.from(encodeRelease(RELEASE), 'base64').toString();
  const json = JSON.parse(gunzipSync(Buffer.from(outer, 'base64')).toString()) as object;
  const { labels: _labels, hooks: _hooks, ...rest } = RELEASE;
  expect(json).toEqual(rest);
});

test('it is read again, with the labels that are no system labels', () =>
  expect(decodeRelease(encodeRelease(RELEASE), { name: 'a', owner: 'helm', team: 'x' })).toEqual(RELEASE));

test.each(['', 'YQ==', 'no base64!'])('%j is no record', (data) => expect(decodeRelease(data, {})).toBeUndefined());

test('names', () => {
  expect(secretName('a', 2)).toBe('sh.helm.release.v1.a.v2');
  expect(chartTitle(RELEASE)).toBe('c-1.0.0');
});
