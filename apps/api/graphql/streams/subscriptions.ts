import type { IncomingMessage } from 'node:http';
import type { Identity } from '@terrarium/platform';
import {
  execute,
  getOperationAST,
  GraphQLError,
  parse,
  validate as validateDocument,
  specifiedRules,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLSchema,
} from 'graphql';
import { CloseCode, type Disposable, type SubscribePayload } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import { LRUCache } from 'lru-cache';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Upgrade, UpgradeRoute } from '../../edge/upgrades.js';
import type { Gate } from '../../gate/gate.js';
import type { RequestContext } from '../../gate/request-context.js';
import { toGraphQLError } from '../graphql-error.js';
import type { GraphQLContext } from '../graphql-context.js';
import { identifyOperation } from '../graphql.edge.js';
import { endOnError } from './end-on-error.js';
import { holdRefusedCloses } from './held-close.js';
import { limitOperations } from '../operation-limits.js';
import { subscribeShared } from '../shared-execution.js';
import { sendInSingleWrites } from '../objects/single-write.js';

const MAX_MESSAGE_BYTES = 256 * 1024;
/** How long a client may take to close what is closed. */
const CLOSE_MS = 1_000;
const MAX_OPERATIONS_PER_CONNECTION = 100;
/** Validated queries that are cached, and up to which length. */
const MAX_CACHED_QUERIES = 200;
const MAX_CACHED_CHARACTERS = 8_000;

interface Options {
  readonly gate: Gate;
  readonly identity: Pick<Identity, 'identify'>;
  readonly path: string;
  readonly schema: GraphQLSchema;
}

/** One connection, from its connection_init on. */
interface Connection {
  readonly request: IncomingMessage;
  readonly socket: WebSocket;
  readonly authorization: string | undefined;
  /** By the client's ids of its operations. */
  readonly operations: Map<string, RequestContext>;
  stopWatch?(): void;
}

/**
 * GraphQL by graphql-ws. Every operation of a connection is a request of its own: it passes the gate, takes a turn to
 * be validated and one to begin, and is counted until it ends.
 */
export class Subscriptions implements UpgradeRoute {
  private readonly sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    // One message of a connection in each iteration of the event loop.
    allowSynchronousEvents: false,
  });
  private readonly validate: (query: string) => Validated;
  private readonly server: Disposable;

  constructor(private readonly options: Options) {
    const { schema } = options;
    this.validate = cachedValidator(schema);
    this.server = useServer<Record<string, unknown>, { connection?: Connection }>(
      {
        schema,
        subscribe: (args) => this.begin(args, () => subscribeShared(args)),
        execute: (args) => this.begin(args, () => execute(args)),
        onConnect: ({ extra, connectionParams }) => {
          const { request, socket } = extra;
          const authorization = authorizationOf(connectionParams, request.headers.authorization);
          extra.connection = { request, socket, authorization, operations: new Map() };
          return this.connect(extra.connection);
        },
        onSubscribe: ({ extra }, id, payload) => this.prepare(extra.connection!, id, payload),
        onComplete: ({ extra }, id) => this.finish(extra.connection!, id),
        onError: ({ extra }, id) => this.finish(extra.connection!, id),
        onClose: ({ extra: { connection } }) => connection && this.close(connection),
      },
      this.sockets,
    );
  }

  matches({ url }: IncomingMessage): boolean {
    return url?.split('?', 1)[0] === this.options.path;
  }

  async serve({ raw, socket, head, accept }: Upgrade): Promise<void> {
    this.sockets.handleUpgrade(raw, socket, head, (client) => {
      accept();
      sendInSingleWrites(client, socket);
      holdRefusedCloses(client);
      this.sockets.emit('connection', client, raw);
      endOnError(client);
    });
  }

  async dispose(): Promise<void> {
    await this.server.dispose();
  }

  /** False without a valid key or token. */
  private async connect(connection: Connection): Promise<boolean> {
    const { gate } = this.options;
    const context = this.arrive(connection, 'connect');
    try {
      await this.identify(context, connection);
      const { principal } = context;
      // Until it is acknowledged, a connection cannot subscribe.
      if (principal) await gate.run(context, 0, () => undefined);
      gate.finish(context, principal ? 101 : 401);
      if (principal) this.watchCredential(connection, context);
      return principal !== undefined;
    } catch (error) {
      gate.finish(context, toGraphQLError(error, context).extensions['status'] as number | undefined);
      return false;
    }
  }

  /** 4403: graphql-ws' clients do not connect again. */
  private watchCredential(connection: Connection, context: RequestContext): void {
    const { socket } = connection;
    if (socket.readyState !== socket.OPEN) return;
    connection.stopWatch = this.options.gate.watchCredential(context, () => {
      socket.close(CloseCode.Forbidden, 'Forbidden');
      setTimeout(() => socket.terminate(), CLOSE_MS).unref();
    });
  }

  private async prepare(
    connection: Connection,
    id: string,
    { query, operationName, variables }: SubscribePayload,
  ): Promise<ExecutionArgs | readonly GraphQLError[]> {
    const { operations } = connection;
    if (operations.size >= MAX_OPERATIONS_PER_CONNECTION)
      return [new GraphQLError(`a connection may run ${MAX_OPERATIONS_PER_CONNECTION} operations at once`)];
    const context = this.arrive(connection, 'subscription');
    operations.set(id, context);
    try {
      await this.identify(context, connection);
      const document = await this.options.gate.run(context, query.length, () => this.validate(query));
      if (!('kind' in document)) return document;
      context.verb = getOperationAST(document, operationName)?.operation ?? context.verb;
      const contextValue: GraphQLContext = { requestContext: context };
      return { schema: this.options.schema, document, operationName, variableValues: variables, contextValue };
    } catch (error) {
      return [toGraphQLError(error, context)];
    }
  }

  /** Begins an operation in its tenant's turn. An error is its result: graphql-ws would close the connection. */
  private async begin<R>(args: ExecutionArgs, work: () => R | Promise<R>): Promise<R | ExecutionResult> {
    const { requestContext } = args.contextValue as GraphQLContext;
    try {
      return await this.options.gate.run(requestContext, 0, work);
    } catch (error) {
      return { errors: [toGraphQLError(error, requestContext)] };
    }
  }

  private arrive({ request }: Connection, verb: string): RequestContext {
    const { headers, socket } = request;
    // Each operation gets an id of its own.
    const { 'x-request-id': _, ...rest } = headers;
    return this.options.gate.begin({
      edge: 'subscription',
      verb,
      headers: verb === 'connect' ? headers : rest,
      remoteAddress: socket.remoteAddress,
    });
  }

  private identify(context: RequestContext, { authorization }: Connection): Promise<void> {
    const { gate, identity } = this.options;
    return gate.identify(context, authorization, () => identifyOperation(identity, authorization));
  }

  private finish({ operations }: Connection, id: string): void {
    const context = operations.get(id);
    if (!context) return;
    operations.delete(id);
    this.options.gate.finish(context, 200);
  }

  private close({ operations, stopWatch }: Connection): void {
    stopWatch?.();
    for (const context of operations.values()) {
      this.options.gate.leave(context);
      this.options.gate.finish(context);
    }
    operations.clear();
  }
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
