import type { Server } from 'node:http';
import { GraphQLError, parse, validate, specifiedRules, type ExecutionArgs, type GraphQLSchema } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import { boundedOperations } from './limits.js';
import type { GraphQLContext } from './resolvers.js';

const MAX_MESSAGE_BYTES = 256 * 1024;
const MAX_OPERATIONS_PER_CONNECTION = 100;

interface Options {
  readonly path: string;
  readonly schema: GraphQLSchema;
  /** Is this a valid key's header? */
  allowed(authorization: string | undefined): Promise<boolean>;
}

/** graphql-ws on the API's own port. The key comes in connectionParams (`apiKey` or `Authorization`) or in the request's header. */
export function serveSubscriptions(server: Server, { path, schema, allowed }: Options): () => Promise<void> {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  const graphql = useServer<Record<string, unknown>, { authorization?: string; running?: Set<string> }>(
    {
      schema,
      onConnect: async (context) => {
        context.extra.authorization = authorizationOf(context.connectionParams, (context.extra as unknown as { request: { headers: { authorization?: string } } }).request.headers.authorization);
        context.extra.running = new Set();
        return allowed(context.extra.authorization);
      },
      onSubscribe: ({ extra }, id, payload): ExecutionArgs | readonly GraphQLError[] => {
        if (extra.running!.size >= MAX_OPERATIONS_PER_CONNECTION) return [new GraphQLError(`a connection may run ${MAX_OPERATIONS_PER_CONNECTION} operations at once`)];
        let document;
        try {
          document = parse(payload.query, { maxTokens: 2_000 });
        } catch (error) {
          return [error as GraphQLError];
        }
        const errors = validate(schema, document, [...specifiedRules, boundedOperations]);
        if (errors.length > 0) return errors;
        extra.running!.add(id);
        const contextValue: GraphQLContext = { authorization: extra.authorization };
        return { schema, document, operationName: payload.operationName, variableValues: payload.variables, contextValue };
      },
      onComplete: ({ extra }, id) => void extra.running!.delete(id),
      onError: ({ extra }, id) => void extra.running!.delete(id),
    },
    sockets,
  );
  server.on('upgrade', (request, socket, head) => {
    if (request.url?.split('?')[0] !== path) return void socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n');
    sockets.handleUpgrade(request, socket, head, (client) => sockets.emit('connection', client, request));
  });
  return async () => graphql.dispose();
}

function authorizationOf(params: Readonly<Record<string, unknown>> | undefined, header: string | undefined): string | undefined {
  const given = params?.['authorization'] ?? params?.['Authorization'];
  if (typeof given === 'string') return given;
  return typeof params?.['apiKey'] === 'string' ? `Bearer ${params['apiKey']}` : header;
}
