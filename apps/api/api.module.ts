import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { Module, type DynamicModule } from '@nestjs/common';
import { GraphQLModule } from '@nestjs/graphql';
import { PlatformModule, type Settings } from '@terrarium/platform';
import type { FastifyRequest } from 'fastify';
import { CERTIFICATE_AUTHORITY } from './rest/certificate-authority.token.js';
import { ClustersRoutes } from './rest/clusters.routes.js';
import { limitOperations } from './graphql/operation-limits.js';
import { KubeObjects } from './graphql/kube-objects.js';
import type { GraphQLContext } from './graphql/graphql-context.js';
import { Resolvers } from './graphql/resolvers.js';
import { HealthRoutes } from './rest/health.routes.js';

export const GRAPHQL_PATH = '/graphql';

@Module({})
export class ApiModule {
  static with(settings: Settings, authority: string | undefined): DynamicModule {
    return {
      module: ApiModule,
      imports: [
        PlatformModule.with({ settings, runs: false }),
        GraphQLModule.forRoot<ApolloDriverConfig>({
          driver: ApolloDriver,
          path: GRAPHQL_PATH,
          autoSchemaFile: true,
          graphiql: true,
          introspection: true,
          validationRules: [limitOperations],
          allowBatchedHttpRequests: false,
          context: (request: FastifyRequest): GraphQLContext => ({ authorization: request.headers.authorization }),
          formatError: ({ message, extensions, path, locations }) => ({
            message,
            path,
            locations,
            extensions: {
              code: extensions?.['code'],
              status: extensions?.['status'],
              details: extensions?.['details'],
            },
          }),
        }),
      ],
      controllers: [ClustersRoutes, HealthRoutes],
      providers: [KubeObjects, Resolvers, { provide: CERTIFICATE_AUTHORITY, useValue: authority }],
    };
  }
}
