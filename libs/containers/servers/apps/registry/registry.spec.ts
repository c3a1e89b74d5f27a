import { expect, test } from '@jest/globals';
import { FileTree } from '../../../../engine/kernel/files/tree.js';
import type { Machine } from '../../../../engine/kernel/machine.js';
import { allImages } from '../../../catalog/all.js';
import { programs } from '../../../programs/index.js';
import { BOOT, exchange, get, runTo, startImage } from '../../testing.js';
import { digestOf } from './store.js';

const image = allImages.find(({ repositories }) => repositories.includes('docker.io/library/registry'))!;

function serve(root = new FileTree('root', image.files ?? {})): Machine {
  const machine = startImage(image, programs, { root });
  runTo(machine, BOOT + 1_000);
  return machine;
}

function send(machine: Machine, method: string, path: string, body = ''): { status: number; head: string } {
  const request = `${method} ${path} HTTP/1.0\r\nHost: r\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const head = exchange(machine, 5_000, request).split('\r\n\r\n', 1)[0]!;
  return { status: Number(head.split(' ', 2)[1]), head };
}
const locationOf = (head: string): string => /location: (\S+)/i.exec(head)?.[1] ?? '';

const LAYER = 'some layer';
const CONFIG = '{}';
const MANIFEST = JSON.stringify({
  ...{ schemaVersion: 2, mediaType: 'application/vnd.oci.image.manifest.v1+json' },
  ...{ config: { digest: digestOf(CONFIG) }, layers: [{ digest: digestOf(LAYER) }] },
});

test('an image is pushed in pieces, pulled, and there after a restart', () => {
  const root = new FileTree('root', image.files ?? {});
  const machine = serve(root);
  const begun = send(machine, 'POST', '/v2/team/web/blobs/uploads/');
  expect(begun.status).toBe(202);
  const upload = locationOf(begun.head);
  expect(send(machine, 'PATCH', upload, 'some ')).toMatchObject({ status: 202 });
  expect(send(machine, 'PUT', '/v2/team/web/manifests/v1', MANIFEST).status).toBe(404);
  expect(send(machine, 'PUT', `${upload}?digest=${digestOf('other')}`, 'layer').status).toBe(400);
  expect(send(machine, 'PUT', `${upload}?digest=${digestOf(LAYER)}`, 'layer').status).toBe(201);
  expect(send(machine, 'POST', `/v2/team/web/blobs/uploads/?digest=${digestOf(CONFIG)}`, CONFIG).status).toBe(201);
  expect(send(machine, 'PUT', '/v2/team/web/manifests/v1', MANIFEST).status).toBe(201);
  const again = serve(root);
  expect(get(again, 5_000, '/v2/_catalog').body).toBe('{"repositories":["team/web"]}\n');
  expect(get(again, 5_000, '/v2/team/web/tags/list').body).toBe('{"name":"team/web","tags":["v1"]}\n');
  expect(get(again, 5_000, '/v2/team/web/manifests/v1')).toMatchObject({ status: 200, body: MANIFEST });
  expect(get(again, 5_000, `/v2/team/web/manifests/${digestOf(MANIFEST)}`).status).toBe(200);
  expect(get(again, 5_000, `/v2/team/web/blobs/${digestOf(LAYER)}`)).toMatchObject({ status: 200, body: LAYER });
  expect(get(again, 5_000, `/v2/team/other/blobs/${digestOf(LAYER)}`).status).toBe(404);
});

test.each([
  ['GET', '/v2/', '', 200],
  ['GET', '/v2/none/tags/list', '', 404],
  ['GET', '/v2/none/manifests/v1', '', 404],
  ['PUT', '/v2/a/manifests/v1', 'no json', 400],
  ['DELETE', '/v2/a/manifests/v1', '', 405],
  ['PUT', '/v2/a/blobs/uploads/none', '', 404],
  ['POST', '/v2/../../etc/blobs/uploads/', '', 404],
  ['GET', '/elsewhere', '', 404],
])('%s %s answers %j with %i', (method, path, body, status) => {
  expect(send(serve(), method, path, body).status).toBe(status);
});
