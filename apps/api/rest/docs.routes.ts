import type { Settings } from '@terrarium/platform';
import type { FastifyInstance } from 'fastify';
import { openapi } from './openapi.js';

interface Operation {
  readonly summary: string;
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
}

const escape = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!);
const STYLE =
  'body{font:16px/1.5 system-ui;max-width:52rem;margin:2rem auto;padding:0 1rem}code,pre{background:#f2f2f2;padding:.1rem .3rem}pre{padding:1rem;overflow:auto}h3 code{font-size:1.05rem}';

/** /docs for people, /docs/openapi.json for programs. */
export function serveDocs(fastify: FastifyInstance, settings: Pick<Settings, 'publicUrl'>): void {
  const document = openapi(settings);
  const page = render(document as Parameters<typeof render>[0]);
  fastify.get('/docs/openapi.json', (_request, reply) => reply.send(document));
  fastify.get('/docs', (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
}

function render(document: {
  info: { title: string; description: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: object };
}): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const example = Object.values(operation.requestBody?.content ?? {})[0]?.example;
      const answers = Object.entries(operation.responses)
        .map(([code, r]) => `<li><code>${code}</code> ${escape(r.description)}</li>`)
        .join('');
      return `<h3><code>${method.toUpperCase()} ${escape(path)}</code></h3><p>${escape(operation.summary)}</p>${example ? `<pre>${escape(JSON.stringify(example))}</pre>` : ''}<ul>${answers}</ul>`;
    }),
  );
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `<h3>${name}</h3><pre>${escape(JSON.stringify(schema, null, 2))}</pre>`,
  );
  return `<!doctype html><meta charset="utf-8"><title>${document.info.title}</title><style>${STYLE}</style>
<h1>${document.info.title}</h1><p>${escape(document.info.description)} Send <code>Authorization: Bearer &lt;key&gt;</code>.
<a href="/docs/openapi.json">OpenAPI 3.1</a>, <a href="/graphql">GraphQL</a>.</p>${operations.join('\n')}<h2>Schemas</h2>${schemas.join('\n')}`;
}
