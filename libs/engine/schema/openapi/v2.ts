import type { Kind } from '../../machinery/kind.js';
import { sharedParameters } from './operations.js';
import { pathsOf } from './paths.js';
import { closure, type Schema } from './schema.js';
import { customSchemas } from './custom.js';
import { byName, rootsOf } from './v3.js';

/** Body of /openapi/v2: every kind in one Swagger document, for older clients. Models kube-openapi's builder. */
export function openApiV2(kinds: readonly Kind[]): Schema {
  const served = kinds.filter((k) => !k.internal);
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: '1.36' },
    paths: Object.fromEntries(served.flatMap((k) => Object.entries(pathsOf(k, 'v2'))).sort(byName)),
    definitions: { ...closure(served.flatMap(rootsOf), 'v2'), ...customSchemas(served, 'v2') },
    parameters: sharedParameters('v2'),
    securityDefinitions: {
      BearerToken: { type: 'apiKey', name: 'authorization', in: 'header', description: 'Bearer Token authentication' },
    },
    security: [{ BearerToken: [] }],
  };
}
