import type { ApiRequest } from '../../machinery/requests/http.js';
import { Query } from '../../machinery/requests/query.js';
import { newRequestInfo, type RequestInfo } from './requestinfo.js';

/** What logs and metrics call a request. */
export interface RequestDescription {
  /** 'list', 'watch'; for a non-resource request the method in lower case. */
  readonly verb: string;
  /** 'pods', 'pods/exec'; '' in a non-resource request. */
  readonly resource: string;
  /** Undefined for a request that cannot be parsed. */
  readonly info?: RequestInfo;
}

/** Describes a request before it is authenticated; one that cannot be parsed by its method alone. */
export function describeRequest({
  method,
  path,
  query,
}: Pick<ApiRequest, 'method' | 'path' | 'query'>): RequestDescription {
  try {
    const info = newRequestInfo({ method, path }, new Query(query));
    const { verb, resource, subresource } = info;
    return { verb, resource: subresource ? `${resource}/${subresource}` : resource, info };
  } catch {
    return { verb: method.toLowerCase(), resource: '' };
  }
}
