import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { operationsOf } from './openapi.js';

const escape = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!);
const STYLE =
  'body{font:16px/1.5 system-ui;max-width:52rem;margin:2rem auto;padding:0 1rem}code,pre{background:#f2f2f2;padding:.1rem .3rem}pre{padding:1rem;overflow:auto}h3 code{font-size:1.05rem}';

/** /docs for people, /docs/openapi.json for programs. The document is made when it is first read. */
export function serveDocs(fastify: FastifyInstance, createDocument: () => OpenAPIObject): void {
  let document: OpenAPIObject | undefined;
  const readDocument = (): OpenAPIObject => (document ??= createDocument());
  fastify.get('/docs/openapi.json', (_request, reply) => reply.send(readDocument()));
  fastify.get('/docs', (_request, reply) => reply.type('text/html; charset=utf-8').send(renderPage(readDocument())));
}

export function renderPage(document: OpenAPIObject): string {
  const { title, description = '' } = document.info;
  const schemas = Object.entries(document.components?.schemas ?? {}).map(
    ([name, schema]) => `<h3>${escape(name)}</h3><pre>${escape(JSON.stringify(schema, null, 2))}</pre>`,
  );
  return `<!doctype html><meta charset="utf-8"><title>${escape(title)}</title><style>${STYLE}</style>
<h1>${escape(title)}</h1><p>${escape(description)} Send <code>Authorization: Bearer &lt;key&gt;</code>.
<a href="/docs/openapi.json">OpenAPI 3.1</a>, <a href="/graphql">GraphQL</a>.</p>
${operationsOf(document).map(renderOperation).join('\n')}
<h2>Schemas</h2>${schemas.join('\n')}`;
}

function renderOperation({ method, path, operation }: ReturnType<typeof operationsOf>[number]): string {
  const { summary = '', requestBody, responses } = operation;
  const [body] = requestBody && 'content' in requestBody ? Object.values(requestBody.content) : [];
  const schema = body?.schema && '$ref' in body.schema ? body.schema.$ref.split('/').at(-1)! : undefined;
  const answers = Object.entries(responses).map(
    ([code, response]) =>
      `<li><code>${code}</code> ${escape(response && 'description' in response ? response.description : '')}</li>`,
  );
  return `<h3><code>${method.toUpperCase()} ${escape(path)}</code></h3><p>${escape(summary)}</p>${
    schema ? `<p>Body: <code>${escape(schema)}</code></p>` : ''
  }<ul>${answers.join('')}</ul>`;
}
