import type { Server } from 'node:http';
import {
  GraphQLError,
  parse,
  validate as validateDocument,
  specifiedRules,
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLSchema,
} from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { LRUCache } from 'lru-cache';
import { WebSocketServer } from 'ws';
import { respondOnSocket } from '@terrarium/host';
import { parseClusterUrl } from '../kubernetes/cluster-url.js';
import { limitOperations } from './operation-limits.js';
import { sendInSingleWrites } from './single-write.js';
import type { GraphQLContext } from './graphql-context.js';
import { subscribeShared } from './shared-execution.js';

const MAX_MESSAGE_BYTES = 256 * 1024;
const MAX_OPERATIONS_PER_CONNECTION = 100;
/** Validated queries that are cached, and up to which length. */
const MAX_CACHED_QUERIES = 200;
const MAX_CACHED_CHARACTERS = 8_000;

const NOT_FOUND = { status: 404, headers: {}, body: '' };

interface Options {
  readonly path: string;
  readonly schema: GraphQLSchema;
  /** The Authorization header has a valid key. */
  isAllowed(authorization: string | undefined): Promise<boolean>;
}

/** Serves GraphQL subscriptions by graphql-ws on the API's own port. Returns what ends them. */
export function serveSubscriptions(server: Server, { path, schema, isAllowed }: Options): () => Promise<void> {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  const validate = cachedValidator(schema);
  const graphql = useServer<Record<string, unknown>, { authorization?: string; running?: Set<string> }>(
    {
      schema,
      subscribe: subscribeShared,
      onConnect: async (context) => {
        context.extra.authorization = authorizationOf(
          context.connectionParams,
          (context.extra as unknown as { request: { headers: { authorization?: string } } }).request.headers
            .authorization,
        );
        context.extra.running = new Set();
        return isAllowed(context.extra.authorization);
      },
      onSubscribe: ({ extra }, id, payload): ExecutionArgs | readonly GraphQLError[] => {
        if (extra.running!.size >= MAX_OPERATIONS_PER_CONNECTION)
          return [new GraphQLError(`a connection may run ${MAX_OPERATIONS_PER_CONNECTION} operations at once`)];
        const document = validate(payload.query);
        if (!('kind' in document)) return document;
        extra.running!.add(id);
        const contextValue: GraphQLContext = { authorization: extra.authorization };
        return {
          schema,
          document,
          operationName: payload.operationName,
          variableValues: payload.variables,
          contextValue,
        };
      },
      onComplete: ({ extra }, id) => void extra.running!.delete(id),
      onError: ({ extra }, id) => void extra.running!.delete(id),
    },
    sockets,
  );
  server.on('upgrade', (request, socket, head) => {
    // The clusters' own upgrades: kubernetes.upgrades.ts.
    if (parseClusterUrl(request.url)) return;
    if (request.url?.split('?')[0] !== path) return respondOnSocket(socket, NOT_FOUND);
    sockets.handleUpgrade(request, socket, head, (client) => {
      sendInSingleWrites(client, socket);
      sockets.emit('connection', client, request);
    });
  });
  return async () => graphql.dispose();
}

/** A parsed query, or its errors. */
type Validated = DocumentNode | readonly GraphQLError[];

function cachedValidator(schema: GraphQLSchema): (query: string) => Validated {
  const cache = new LRUCache<string, Validated>({ max: MAX_CACHED_QUERIES });
  return (query) => {
    if (query.length > MAX_CACHED_CHARACTERS) return validateQuery(schema, query);
    const cached = cache.get(query);
    if (cached) return cached;
    const validated = validateQuery(schema, query);
    cache.set(query, validated);
    return validated;
  };
}

function validateQuery(schema: GraphQLSchema, query: string): Validated {
  try {
    const document = parse(query, { maxTokens: 2_000 });
    const errors = validateDocument(schema, document, [...specifiedRules, limitOperations]);
    return errors.length > 0 ? errors : document;
  } catch (error) {
    return [error as GraphQLError];
  }
}

/** The key of a connection: in its connectionParams (`authorization`, `Authorization`, `apiKey`), else its header. */
function authorizationOf(
  params: Readonly<Record<string, unknown>> | undefined,
  header: string | undefined,
): string | undefined {
  const given = params?.['authorization'] ?? params?.['Authorization'];
  if (typeof given === 'string') return given;
  return typeof params?.['apiKey'] === 'string' ? `Bearer ${params['apiKey']}` : header;
}
