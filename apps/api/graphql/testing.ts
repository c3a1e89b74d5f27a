import { expect } from '@jest/globals';
import {
  getNamedType,
  isInputObjectType,
  isLeafType,
  isNonNullType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

/** One root field of a schema, as an operation that names a cluster wherever it can. */
export interface RootField {
  readonly operation: 'query' | 'mutation' | 'subscription';
  readonly name: string;
  readonly query: string;
  /** Whether an argument names a cluster. */
  readonly namesCluster: boolean;
}

/** What arguments of these names are given; others get a value by their type. */
const VALUES: Readonly<Record<string, unknown>> = {
  apiVersion: 'v1',
  kind: 'Namespace',
  name: 'default',
  manifest: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'walked' } },
};
const BY_TYPE: Readonly<Record<string, unknown>> = {
  String: 'a',
  ID: 'a',
  Int: 1,
  Float: 1,
  Long: 1,
  Boolean: false,
  JSON: {},
};

/** Every root field of the schema, with all arguments that it needs. A new one is among them by itself. */
export function rootFieldsOf(schema: GraphQLSchema, clusterId: string): RootField[] {
  const roots = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
    ['subscription', schema.getSubscriptionType()],
  ] as const;
  return roots.flatMap(([operation, type]) =>
    Object.values(type?.getFields() ?? {}).map((field) => ({
      operation,
      name: field.name,
      query: `${operation} { ${field.name}${argumentsOf(field, clusterId)} ${selectionOf(field.type)} }`,
      namesCluster: field.args.some(isClusterId),
    })),
  );
}

/** Ids are those of clusters, unless they say of what else they are. */
const isClusterId = ({ name, type }: GraphQLArgument): boolean =>
  getNamedType(type).name === 'ID' && ['id', 'clusterId'].includes(name);

function argumentsOf({ args }: GraphQLField<unknown, unknown>, clusterId: string): string {
  const given = args
    .filter((argument) => isNonNullType(argument.type) || isClusterId(argument))
    .map((argument) => `${argument.name}: ${isClusterId(argument) ? print(clusterId) : valueOf(argument)}`);
  return given.length > 0 ? `(${given.join(', ')})` : '';
}

function valueOf({ name, type }: Pick<GraphQLArgument | GraphQLInputField, 'name' | 'type'>): string {
  if (name in VALUES) return print(VALUES[name]);
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return print(BY_TYPE[named.name]);
  const fields = Object.values(named.getFields()).filter((field) => isNonNullType(field.type));
  return `{ ${fields.map((field) => `${field.name}: ${valueOf(field)}`).join(', ')} }`;
}

/** A literal of GraphQL: as JSON, but names of fields are bare. */
function print(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(print).join(', ')}]`;
  return `{ ${Object.entries(value)
    .map(([name, item]) => `${name}: ${print(item)}`)
    .join(', ')} }`;
}

/** The first leaf of an object type. */
function selectionOf(type: GraphQLOutputType): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return '';
  const fields = Object.values(named.getFields());
  const leaf = fields.find((field) => isLeafType(getNamedType(field.type)));
  return leaf ? `{ ${leaf.name} }` : `{ ${fields[0]!.name} ${selectionOf(fields[0]!.type)} }`;
}

export interface GraphQLAnswer {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions: Record<string, unknown> }[];
}

/** The answer to a query or a mutation. `url`: of the API. */
export async function postQuery(url: string, query: string, key?: string): Promise<GraphQLAnswer> {
  const headers = { ...(key ? { authorization: `Bearer ${key}` } : {}), 'content-type': 'application/json' };
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  return (await response.json()) as GraphQLAnswer;
}

/** What the subscriber hears first; 'UNAUTHENTICATED' when its connection is refused. */
export async function firstEventOf(url: string, query: string, apiKey?: string): Promise<GraphQLAnswer> {
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { apiKey },
    retryAttempts: 0,
  });
  try {
    const { value } = (await client.iterate({ query }).next()) as { value: GraphQLAnswer };
    return value;
  } catch (error) {
    if (Array.isArray(error)) return { errors: error as GraphQLAnswer['errors'] };
    expect((error as { code: number }).code).toBe(4403);
    return { errors: [{ message: '', extensions: { code: 'UNAUTHENTICATED' } }] };
  } finally {
    await client.dispose();
  }
}
