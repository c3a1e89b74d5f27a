import { describe, expect, test } from '@jest/globals';
import { kinds } from '../../kinds/index.js';
import { Registry } from '../../runtime/registry.js';
import { handle } from '../handle.js';
import { Query } from '../../machinery/requests/query.js';
import { newRequestInfo } from '../request/requestinfo.js';
import { TestServer } from '../testing.js';
import { RequestCounts } from './request-counts.js';

const registry = new Registry(kinds);

function add(counts: RequestCounts, method: string, url: string, code: number, contentType?: string): void {
  const [path = '', query = ''] = url.split('?');
  const request = { method, path, query, headers: { 'content-type': contentType } };
  counts.add(request, newRequestInfo(request, new Query(query)), code);
}
const resource = (labels: string): string => `code="200",component="apiserver",${labels}`;

describe('the series of', () => {
  const APPLY = 'application/apply-patch+yaml';
  // Method, URL, labels, content type.
  test.each<[string, string, string, string?]>([
    [
      'GET',
      '/api/v1/namespaces/default/pods',
      resource('dry_run="",group="",resource="pods",scope="namespace",subresource="",verb="LIST",version="v1"'),
    ],
    [
      'GET',
      '/api/v1/pods?watch=1',
      resource('dry_run="",group="",resource="pods",scope="cluster",subresource="",verb="WATCH",version="v1"'),
    ],
    [
      'GET',
      '/api/v1/watch/namespaces/default/pods/x',
      resource('dry_run="",group="",resource="pods",scope="resource",subresource="",verb="WATCH",version="v1"'),
    ],
    [
      'GET',
      '/api/v1/pods?fieldSelector=metadata.name%3Dx',
      resource('dry_run="",group="",resource="pods",scope="resource",subresource="",verb="LIST",version="v1"'),
    ],
    [
      'POST',
      '/api/v1/namespaces/default/pods',
      resource('dry_run="",group="",resource="pods",scope="resource",subresource="",verb="POST",version="v1"'),
    ],
    [
      'DELETE',
      '/apis/apps/v1/namespaces/default/deployments/x?dryRun=All',
      resource(
        'dry_run="All",group="apps",resource="deployments",scope="resource",subresource="",verb="DELETE",version="v1"',
      ),
    ],
    [
      'PATCH',
      '/apis/apps/v1/namespaces/default/deployments/x/scale',
      resource(
        'dry_run="",group="apps",resource="deployments",scope="resource",subresource="scale",verb="PATCH",version="v1"',
      ),
      'application/merge-patch+json',
    ],
    [
      'PATCH',
      '/api/v1/nodes/x',
      resource('dry_run="",group="",resource="nodes",scope="resource",subresource="",verb="APPLY",version="v1"'),
      APPLY,
    ],
    [
      'GET',
      '/api/v1/namespaces/default/pods/x/log',
      resource('dry_run="",group="",resource="pods",scope="resource",subresource="log",verb="CONNECT",version="v1"'),
    ],
    [
      'PURGE',
      '/api/v1/nodes/x',
      resource('dry_run="",group="",resource="nodes",scope="resource",subresource="",verb="other",version="v1"'),
    ],
    [
      'GET',
      '/healthz/etcd',
      'code="200",component="",dry_run="",group="",resource="",scope="",subresource="/healthz",verb="GET",version=""',
    ],
    [
      'GET',
      '/api/v1',
      'code="200",component="",dry_run="",group="",resource="",scope="",subresource="api",verb="GET",version=""',
    ],
    [
      'PATCH',
      '/apis/any.example.com/v1/things/x',
      'code="200",component="",dry_run="",group="",resource="",scope="",subresource="apis",verb="PATCH",version=""',
      APPLY,
    ],
    [
      'GET',
      '/moon',
      'code="200",component="",dry_run="",group="",resource="",scope="",subresource="",verb="GET",version=""',
    ],
  ])('%s %s', (method, url, labels, contentType = 'application/json') => {
    const counts = new RequestCounts();
    add(counts, method, url, 200, contentType);
    expect([...counts.lines(registry)]).toEqual([`apiserver_request_total{${labels}} 1`]);
  });
});

test('names and namespaces do not make series, codes do', () => {
  const counts = new RequestCounts();
  for (const name of ['a', 'b', 'c']) add(counts, 'GET', `/api/v1/namespaces/${name}/pods/${name}`, 200);
  add(counts, 'GET', '/api/v1/namespaces/a/pods/a', 404);
  const labels = 'group="",resource="pods",scope="resource",subresource="",verb="GET",version="v1"';
  expect([...counts.lines(registry)]).toEqual([
    `apiserver_request_total{code="200",component="apiserver",dry_run="",${labels}} 3`,
    `apiserver_request_total{code="404",component="apiserver",dry_run="",${labels}} 1`,
  ]);
});

test('unknown API groups share a series', () => {
  const counts = new RequestCounts();
  for (const name of ['a', 'b']) add(counts, 'GET', `/apis/${name}.example.com/v1/things`, 404);
  expect([...counts.lines(registry)]).toEqual([
    'apiserver_request_total{code="404",component="",dry_run="",group="",resource="",scope="",subresource="apis",verb="GET",version=""} 2',
  ]);
});

test('at most 5,000 series are kept', () => {
  const counts = new RequestCounts();
  for (let i = 0; i < 5_001; i++) add(counts, 'GET', `/apis/example.com/v1/things${i}`, 404);
  expect([...counts.lines(registry)][0]).toMatch(/ 5000$/);
});

describe('of a server', () => {
  const server = new TestServer();
  const count = (url: string): string[] => {
    const requests = new RequestCounts();
    const [path = '', query = ''] = url.split('?');
    const user = { name: 'root', groups: ['system:masters'] };
    handle({ ...server.server, requests }, { method: 'GET', path, query, headers: {}, user }, server.state.now);
    return [...requests.lines(server.registry)];
  };

  test('every answer counts, also a refusal', () => {
    expect(count('/api/v1/pods')).toEqual([expect.stringContaining('code="200"')]);
    expect(count('/api/v1/nodes/none')).toEqual([expect.stringContaining('code="404"')]);
  });
  test.each(['/api/v1/namespaces/%zz', `/api/v1/pods?${'a&'.repeat(10_001)}`])(
    'a URL that cannot be parsed does not',
    (url) => expect(count(url)).toEqual([]),
  );
});
