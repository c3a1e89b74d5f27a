/**
 * What a request's method and URL say, parsed once: authorization, routing and metrics all read it. Models
 * apiserver/pkg/endpoints/request/requestinfo.go.
 */
export interface RequestInfo {
  /** False for discovery, health, metrics and every other path that names no API resource. */
  readonly isResourceRequest: boolean;
  /** The URL's path as the client has escaped it. */
  readonly path: string;
  /**
   * The verb of the API ('list', 'deletecollection'), '' for a method that has none. For a non-resource request the
   * method in lower case.
   */
  readonly verb: string;
  /** 'api' or 'apis'. This and the fields down to `name` are '' in a non-resource request. */
  readonly apiPrefix: string;
  /** '' for the core group. */
  readonly apiGroup: string;
  readonly apiVersion: string;
  /** The Namespace that the path goes through or ends at; '' for all and for cluster-scoped resources. */
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  /** The object's name in the path; for a collection the one name that its field selector requires. */
  readonly name: string;
  /** The decoded path from the resource on: resource, name, subresource and the rest. Otherwise the whole path. */
  readonly parts: readonly string[];
  /** Tells '/namespaces/a/namespaces/a', a resource within a Namespace, from '/namespaces/a', the Namespace itself. */
  readonly isNamespaced: boolean;
  /** The query's field selector; '' in a non-resource request. */
  readonly fieldSelector: string;
}
