import { textOf, type Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { Program } from '../../../engine/kernel/process/program.js';
import { defineApp, html, json, type AppReply } from './app.js';

const REGISTRY = '/var/lib/registry/docker/registry/v2/repositories';
const VERSION_HEADER = { 'docker-distribution-api-version': 'registry/2.0', 'x-content-type-options': 'nosniff' };
const registryError = (code: string, message: string, status: number): AppReply => ({
  ...json({ errors: [{ code, message, detail: null }] }, status),
  headers: { ...VERSION_HEADER, 'content-type': 'application/json' },
});

/** Distribution's API over what lies in its volume. Left out: pushes. */
const registry = defineApp({
  ports: (_argv, env) => [Number((env['REGISTRY_HTTP_ADDR'] ?? ':5000').split(':').at(-1))],
  readyMs: 200,
  logsTo: 'stderr',
  log: ({ sys }) => [
    `time="${new Date(sys.now).toISOString()}" level=info msg="listening on [::]:5000" go.version=go1.20.8 instance.id=8c4d6ce2 service=registry version=2.8.3`,
  ],
  answer({ route, method }, { sys }) {
    const names = (path: Bytes): string[] => {
      try {
        return sys.readDirectory(path).map(textOf);
      } catch (error) {
        if (error instanceof SystemError) return [];
        throw error;
      }
    };
    const answer = (value: object): AppReply => ({
      ...json(value),
      headers: { ...VERSION_HEADER, 'content-type': 'application/json; charset=utf-8' },
    });
    if (method !== 'GET' && method !== 'HEAD')
      return registryError('UNSUPPORTED', 'The operation is unsupported.', 405);
    if (route === '/v2/') return answer({});
    if (route === '/v2/_catalog') return answer({ repositories: names(REGISTRY) });
    const [, name = ''] = /^\/v2\/([^?]+)\/tags\/list$/.exec(route) ?? [];
    if (name !== '') {
      const tags = names(`${REGISTRY}/${name}/_manifests/tags`);
      return tags.length === 0
        ? registryError('NAME_UNKNOWN', 'repository name not known to registry', 404)
        : answer({ name: textOf(name), tags });
    }
    if (/^\/v2\/.+\/manifests\/.+$/.test(route)) return registryError('MANIFEST_UNKNOWN', 'manifest unknown', 404);
    if (/^\/v2\/.+\/blobs\/.+$/.test(route)) return registryError('BLOB_UNKNOWN', 'blob unknown to registry', 404);
    return route === '/' ? { status: 200 } : html('404 page not found\n', 404);
  },
});

export const programs: Readonly<Record<string, Program>> = { 'apps:registry': registry };
