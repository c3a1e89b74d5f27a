import type { Server } from 'node:http';
import {
  GraphQLError,
  parse,
  validate,
  specifiedRules,
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLSchema,
} from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import { boundedOperations } from './limits.js';
import { writeAtOnce } from './one-write.js';
import type { GraphQLContext } from './resolvers.js';
import { Newest, subscribeShared } from './shared-results.js';

/** Upgrades below are somebody else's. */
const CLUSTERS = '/clusters/';
const MAX_MESSAGE_BYTES = 256 * 1024;
const MAX_OPERATIONS_PER_CONNECTION = 100;
/** Checked queries that are remembered, and up to which length. */
const REMEMBERED_QUERIES = 200;
const REMEMBERED_CHARACTERS = 8_000;

interface Options {
  readonly path: string;
  readonly schema: GraphQLSchema;
  /** Is this a valid key's header? */
  allowed(authorization: string | undefined): Promise<boolean>;
}

/**
 * graphql-ws on the API's own port. The key comes in connectionParams (`apiKey` or `Authorization`) or in the request's
 * header.
 */
export function serveSubscriptions(server: Server, { path, schema, allowed }: Options): () => Promise<void> {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  const checked = new Newest<string, DocumentNode | readonly GraphQLError[]>(REMEMBERED_QUERIES);
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
        return allowed(context.extra.authorization);
      },
      onSubscribe: ({ extra }, id, payload): ExecutionArgs | readonly GraphQLError[] => {
        if (extra.running!.size >= MAX_OPERATIONS_PER_CONNECTION)
          return [new GraphQLError(`a connection may run ${MAX_OPERATIONS_PER_CONNECTION} operations at once`)];
        const check = (): DocumentNode | readonly GraphQLError[] => checkedDocument(schema, payload.query);
        const document = payload.query.length > REMEMBERED_CHARACTERS ? check() : checked.get(payload.query, check);
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
    if (request.url?.startsWith(CLUSTERS)) return;
    if (request.url?.split('?')[0] !== path)
      return void socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n');
    sockets.handleUpgrade(request, socket, head, (client) => {
      writeAtOnce(client, socket);
      sockets.emit('connection', client, request);
    });
  });
  return async () => graphql.dispose();
}

/** The parsed query, or what is wrong with it. */
function checkedDocument(schema: GraphQLSchema, query: string): DocumentNode | readonly GraphQLError[] {
  try {
    const document = parse(query, { maxTokens: 2_000 });
    const errors = validate(schema, document, [...specifiedRules, boundedOperations]);
    return errors.length > 0 ? errors : document;
  } catch (error) {
    return [error as GraphQLError];
  }
}

function authorizationOf(
  params: Readonly<Record<string, unknown>> | undefined,
  header: string | undefined,
): string | undefined {
  const given = params?.['authorization'] ?? params?.['Authorization'];
  if (typeof given === 'string') return given;
  return typeof params?.['apiKey'] === 'string' ? `Bearer ${params['apiKey']}` : header;
}
