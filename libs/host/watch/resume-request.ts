import type { ApiRequest } from '@terrarium/engine';

/** The request of a watch that goes on after a revision, as client-go's reflector sends it. */
export function resumeRequest(request: ApiRequest, revision: number): ApiRequest {
  const query = new URLSearchParams(request.query);
  query.delete('sendInitialEvents');
  query.delete('resourceVersionMatch');
  query.set('resourceVersion', String(revision));
  return { ...request, query: query.toString(), info: undefined };
}
