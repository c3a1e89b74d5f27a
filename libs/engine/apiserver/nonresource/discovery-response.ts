import type { ApiRequest, BodyResponse } from '../../machinery/requests/http.js';
import { ApiError } from '../../machinery/meta/status.js';
import type { Registry } from '../../runtime/registry.js';
import { acceptClauses, negotiate } from '../request/negotiate.js';
import type { Query } from '../../machinery/requests/query.js';
import { aggregatedDiscovery, apiGroup, resourceList } from './discovery.js';
import { isBuiltIn } from '../../machinery/kind.js';
import { servedGroups, type ServedGroup } from './served-groups.js';
import { etagOf, isPretty, jsonResponse, notFoundPage, withEtag } from '../response/writers.js';

/**
 * /api, /apis, /apis/<group> and each version's resources; `rest` is the path behind `root`. Throws 404 for a
 * version that a built-in group does not have, and 406.
 */
export function discoveryResponse(
  registry: Registry,
  remote: readonly ServedGroup[],
  serverAddress: string,
  request: ApiRequest,
  query: Query,
  root: 'api' | 'apis',
  rest: readonly string[],
): BodyResponse {
  const { headers } = request;
  const groups = [...servedGroups(registry), ...remote].filter(({ group }) => (root === 'api') === (group === ''));
  const aggregatedVersion = rest.length === 0 ? aggregatedVersionOf(headers['accept']) : undefined;
  if (aggregatedVersion) return aggregatedResponse(request, query, groups, aggregatedVersion);
  const document = rest.length === 0 ? rootDocument(root, serverAddress, groups) : groupDocument(root, groups, rest);
  if (document === undefined) return notFoundPage();
  const { format } = negotiate(headers['accept'], {
    protobuf: false,
    convertible: false,
    routed: root === 'apis' && rest.length < 2 ? undefined : { collection: false },
  });
  return jsonResponse(200, JSON.stringify(document), format, isPretty(query, headers));
}

/** Models apiserver/pkg/endpoints/discovery/legacy.go and root.go. */
function rootDocument(root: 'api' | 'apis', serverAddress: string, groups: readonly ServedGroup[]): unknown {
  if (root === 'apis') return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(apiGroup) };
  const serverAddressByClientCIDRs = [{ clientCIDR: '0.0.0.0/0', serverAddress }];
  return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs };
}

/** Undefined for a path that no handler has. Models apiserver/pkg/endpoints/discovery/group.go and version.go. */
function groupDocument(root: 'api' | 'apis', groups: readonly ServedGroup[], rest: readonly string[]): unknown {
  const [name, version, ...more] = root === 'api' ? ['', ...rest] : rest;
  const group = groups.find((g) => g.group === name);
  if (!group || more.length > 0) return undefined;
  if (version === undefined) return { kind: 'APIGroup', apiVersion: 'v1', ...apiGroup(group) };
  const served = group.versions.find((v) => v.version === version);
  if (served) return resourceList(group.group, version, served.kinds);
  if (group.versions.some(({ kinds }) => kinds.some(isBuiltIn)))
    throw new ApiError(404, 'NotFound', 'the server could not find the requested resource', {});
  return undefined;
}

/** 'v2' or 'v2beta1' when the client prefers the aggregated form. */
function aggregatedVersionOf(accept: string | undefined): string | undefined {
  for (const { mediaType, parameters } of acceptClauses(accept ?? '')) {
    if (mediaType !== 'application/json' && mediaType !== '*/*') continue;
    if (!parameters.has('as')) return undefined;
    if (parameters.get('as') !== 'APIGroupDiscoveryList' || parameters.get('g') !== 'apidiscovery.k8s.io') continue;
    const version = parameters.get('v');
    if (version === 'v2' || version === 'v2beta1') return version;
  }
  return undefined;
}

/** Models apiserver/pkg/endpoints/discovery/aggregated/handler.go. */
function aggregatedResponse(
  request: ApiRequest,
  query: Query,
  groups: readonly ServedGroup[],
  version: string,
): BodyResponse {
  const text = JSON.stringify(aggregatedDiscovery(groups, version));
  const json = jsonResponse(200, text, 'json', isPretty(query, request.headers));
  const response = withEtag(request, json, etagOf(text));
  const contentType = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
  return { ...response, headers: { ...response.headers, 'content-type': contentType } };
}
