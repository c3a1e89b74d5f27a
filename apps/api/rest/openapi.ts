import { nouns, type Settings } from '@terrarium/platform';
import { z } from 'zod';

/** JSON Schema whose named parts are the document's own components. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output' = 'output'): object {
  const { $defs = {} } = z.toJSONSchema(schema, { io });
  const { id: _, ...own } = $defs[schema.meta()!.id!] ?? {};
  return JSON.parse(JSON.stringify(own).replaceAll('#/$defs/', '#/components/schemas/')) as object;
}
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const json = (name: string, description: string): object => ({
  description,
  content: { 'application/json': { schema: ref(name) } },
});
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const refusals = (...codes: number[]): object =>
  Object.fromEntries(codes.map((code) => [code, json('Failure', MEANING[code]!)]));
const MEANING: Readonly<Record<number, string>> = {
  400: 'The request does not fit the schema.',
  401: 'No valid key.',
  403: 'The quota is used up.',
  404: 'No such cluster, or not yours.',
};

/** OpenAPI 3.1 of /v1, from the schemas that also validate it. */
export function openapi({ publicUrl }: Pick<Settings, 'publicUrl'>): object {
  const { NewCluster, Cluster, ClusterList, NodeGroup, Taint, Failure } = nouns;
  const page = Object.entries((jsonSchema(nouns.Page, 'input') as { properties: Record<string, object> }).properties);
  return {
    openapi: '3.1.0',
    info: { title: 'Terrarium', version: 'v1', description: 'A simulated Kubernetes cluster for every user.' },
    servers: [{ url: publicUrl }],
    security: [{ key: [] }],
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      schemas: {
        NewCluster: jsonSchema(NewCluster, 'input'),
        NodeGroup: jsonSchema(NodeGroup, 'input'),
        Taint: jsonSchema(Taint, 'input'),
        Cluster: jsonSchema(Cluster),
        ClusterList: jsonSchema(ClusterList),
        Failure: jsonSchema(Failure),
      },
    },
    paths: {
      '/v1/clusters': {
        post: {
          operationId: 'createCluster',
          summary: 'Make a cluster',
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: ref('NewCluster'),
                example: { name: 'demo', nodes: 2, speed: 'realistic' },
              },
            },
          },
          responses: { 201: json('Cluster', 'The cluster, ready to use.'), ...refusals(400, 401, 403) },
        },
        get: {
          operationId: 'listClusters',
          summary: 'List your clusters, oldest first',
          parameters: page.map(([name, schema]) => ({ name, in: 'query', required: false, schema })),
          responses: { 200: json('ClusterList', 'One page.'), ...refusals(400, 401) },
        },
      },
      '/v1/clusters/{id}': {
        get: {
          operationId: 'getCluster',
          summary: 'Read a cluster',
          parameters: [id],
          responses: { 200: json('Cluster', 'The cluster.'), ...refusals(401, 404) },
        },
        delete: {
          operationId: 'deleteCluster',
          summary: 'Delete a cluster and its history',
          parameters: [id],
          responses: { 204: { description: 'Gone.' }, ...refusals(401, 404) },
        },
      },
      '/v1/clusters/{id}/kubeconfig': {
        get: {
          operationId: 'getKubeconfig',
          summary: 'A kubeconfig file for kubectl',
          parameters: [id],
          responses: {
            200: { description: 'YAML.', content: { 'application/yaml': { schema: { type: 'string' } } } },
            ...refusals(401, 404),
          },
        },
      },
    },
  };
}
