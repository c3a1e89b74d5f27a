import type { ApiRequest } from '../machinery/http.js';
import type { Route } from './route.js';

/** May this user do this? Every authenticated user may do everything, as a member of system:masters. Throws 403. */
export function authorize(_request: ApiRequest, _verb: string, _route: Extract<Route, { type: 'resource' }> | undefined): void {}
